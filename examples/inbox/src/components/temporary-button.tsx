import { useEffectEvent, useLayoutEffect, useRef, type ComponentProps } from 'react';

interface TemporaryButtonProps extends Omit<ComponentProps<'button'>, 'ref' | 'type'> {
  /** Called if the button disappears while it has the focus. */
  readonly onFocusLost: () => void;
}

/** A button that disappears when it is pressed, or by itself. */
export function TemporaryButton({ onFocusLost, ...attributes }: TemporaryButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const moveFocus = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (document.activeElement === element) moveFocus();
    };
  }, []);
  return <button ref={button} type="button" className="button" {...attributes} />;
}
