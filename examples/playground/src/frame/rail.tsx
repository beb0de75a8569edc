import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useEffectEvent } from 'react';
import { Icon } from '../../../ui/icon.tsx';
import { Keys } from './keys.tsx';
import { isWide } from './media.ts';

export function Rail() {
  const { plugins, visiblePlugin } = useGraphiQL((state) => state);
  const { setVisiblePlugin } = useGraphiQLActions();
  return (
    <nav className="rail" aria-label="Panes">
      {plugins.map((plugin) => {
        const isShown = plugin === visiblePlugin;
        return (
          <button
            key={plugin.title}
            type="button"
            aria-expanded={isShown}
            aria-controls={isShown ? 'pane' : undefined}
            onClick={() => setVisiblePlugin(isShown ? null : plugin)}
          >
            <plugin.icon />
            {plugin.title}
          </button>
        );
      })}
      <button type="button" popoverTarget="keys">
        <Icon name="keyboard" />
        Keys
      </button>
      <div id="keys" className="popup" popover="auto" role="dialog" aria-label="Keys">
        <Keys />
      </div>
    </nav>
  );
}

export function Pane() {
  const plugin = useGraphiQL(({ visiblePlugin }) => visiblePlugin);
  const { setVisiblePlugin } = useGraphiQLActions();
  useEffect(() => {
    // GraphiQL opens the pane of an earlier visit, which would cover the operation.
    if (!isWide()) setVisiblePlugin(null);
  }, [setVisiblePlugin]);
  const close = (): void => {
    if (!document.activeElement?.closest('.editors'))
      document.querySelector<HTMLElement>('[aria-controls="pane"]')?.focus();
    setVisiblePlugin(null);
  };
  const press = useEffectEvent(({ key, target, defaultPrevented }: KeyboardEvent) => {
    if (plugin === null || isWide() || key !== 'Escape') return;
    // Monaco prevents the default of each Escape, and stops those that it uses.
    if (defaultPrevented && !document.activeElement?.closest('.editors')) return;
    const isSearch = target instanceof HTMLInputElement && target.value !== ''; // it is emptied first
    if (!isSearch && !document.querySelector(':popover-open')) close();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  if (plugin === null) return null;
  return (
    <aside id="pane" className="pane" aria-label={plugin.title}>
      <div className="pane-head">
        <h2>{plugin.title}</h2>
        <button
          type="button"
          className="button button-quiet button-icon"
          aria-label={`Close ${plugin.title}`}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="pane-body">
        <plugin.content />
      </div>
    </aside>
  );
}
