import { useEffectEvent, useLayoutEffect, useRef, type ComponentProps } from 'react';

interface TemporaryButtonProps extends Omit<ComponentProps<'button'>, 'ref' | 'type'> {
  readonly onFocusLost: () => void;
}

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
