import { useGraphiQL } from '@graphiql/react';
import { useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';

interface SplitterProps {
  readonly label: string;
  readonly orientation: 'horizontal' | 'vertical';
  readonly split: Split;
}

type Split = ReturnType<typeof useSplit>;

const [min, max] = [15, 85];

/** The share of the first of two parts, which the browser stores under a name. `style` is for their parent. */
export function useSplit(name: string, initial: number) {
  const { storage } = useGraphiQL((state) => state);
  const [percent, setPercent] = useState(() => Number(storage.get(name)) || initial);
  return {
    percent,
    style: { '--first': `${percent}fr`, '--second': `${100 - percent}fr` } as CSSProperties,
    set(value: number): void {
      const next = Math.round(Math.min(max, Math.max(min, value)));
      setPercent(next);
      storage.set(name, `${next}`);
    },
    reset(): void {
      setPercent(initial);
      storage.set(name, '');
    },
  };
}

export function Splitter({ label, orientation, split }: SplitterProps) {
  const isVertical = orientation === 'vertical';
  const move = ({ currentTarget, clientX, clientY, pointerId }: PointerEvent): void => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const first = currentTarget.previousElementSibling!.getBoundingClientRect();
    const second = currentTarget.nextElementSibling!.getBoundingClientRect();
    const share = isVertical
      ? (clientX - first.left) / (second.right - first.left)
      : (clientY - first.top) / (second.bottom - first.top);
    split.set(100 * share);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    split.set(split.percent + step);
  };
  return (
    <div
      className={`splitter splitter-${orientation}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={split.percent}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={move}
      onKeyDown={onKeyDown}
      onDoubleClick={split.reset}
    />
  );
}
