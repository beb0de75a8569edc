import type { RefObject } from 'react';
import { useKeys } from '../keyboard/keyboard.ts';

/**
 * Moves through the rows of a list with j and k, and selects with x, as mail programs do. The current row is the one that
 * has the focus, so that Enter opens its link.
 *
 * @param onClear called for Escape. Null: nothing is selected.
 */
export function useListKeys(
  region: RefObject<HTMLElement | null>,
  onClear: (() => void) | null,
): void {
  const rows = () => [...(region.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
  const currentRow = () => document.activeElement?.closest<HTMLElement>('tbody tr') ?? null;
  const move = (step: number): void => {
    const all = rows();
    const current = currentRow();
    const index = current === null ? -1 : all.indexOf(current);
    const next = all[index < 0 ? 0 : Math.min(Math.max(index + step, 0), all.length - 1)];
    next?.querySelector<HTMLElement>('a')?.focus();
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => currentRow()?.querySelector<HTMLElement>('input[type="checkbox"]')?.click(),
    ...(onClear && { Escape: onClear }),
  });
}
