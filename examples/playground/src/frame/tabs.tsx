import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { Icon } from '../../../ui/icon.tsx';

export function Tabs() {
  const { tabs, activeTabIndex } = useGraphiQL((state) => state);
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const { addTab, changeTab, closeTab } = useGraphiQLActions();
  /** What is written next belongs there, and the button of a closed tab is gone. */
  const andWrite = (action: () => void): void => {
    action();
    queryEditor?.focus();
  };
  return (
    <div className="tabs">
      <ul>
        {tabs.map(({ id, title }, index) => (
          <li key={id} data-active={index === activeTabIndex}>
            <button
              type="button"
              className="tab"
              aria-current={index === activeTabIndex ? 'true' : undefined}
              onClick={() => changeTab(index)}
            >
              {title}
            </button>
            {tabs.length > 1 && (
              <button
                type="button"
                className="tab-close"
                aria-label={`Close ${title}`}
                onClick={() => andWrite(() => closeTab(index))}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="tab-add"
        aria-label="New tab"
        onClick={() => andWrite(addTab)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
