import { useGraphiQL, useMonaco } from '@graphiql/react';
// @ts-expect-error -- it has no declarations, and the option of the same name has no effect
import { TabFocus } from 'monaco-editor/esm/vs/editor/browser/config/tabFocus.js';
import { useEffect } from 'react';
import { useIsNarrow } from './media.ts';

// Tab leaves an editor, as it does any other control.
TabFocus.setTabFocusMode(true);

const dark = matchMedia('(prefers-color-scheme: dark)');

export function useEditorStyle(): void {
  const monaco = useMonaco((state) => state.monaco);
  const { queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL(
    (state) => state,
  );
  const isNarrow = useIsNarrow();
  useEffect(() => {
    if (monaco === undefined) return;
    const apply = (): void => {
      monaco.editor.defineTheme('playground', theme());
      monaco.editor.setTheme('playground');
    };
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, [monaco]);
  useEffect(() => {
    const editors = {
      Operation: queryEditor,
      Variables: variableEditor,
      Headers: headerEditor,
      Result: responseEditor,
    };
    for (const [ariaLabel, editor] of Object.entries(editors)) {
      editor?.updateOptions({
        ariaLabel,
        tabIndex: 0,
        fontFamily: getComputedStyle(document.body).getPropertyValue('--font-mono'),
        fontSize: 13,
        lineHeight: 20,
        padding: { top: 8, bottom: 8 },
        // On a small screen, the width is for the text.
        ...(isNarrow
          ? { lineNumbers: 'off', folding: false, glyphMargin: false, lineDecorationsWidth: 8 }
          : {
              lineNumbers: ariaLabel === 'Result' ? 'off' : 'on',
              folding: true,
              lineNumbersMinChars: 3,
              lineDecorationsWidth: 10,
            }),
      });
    }
  }, [queryEditor, variableEditor, headerEditor, responseEditor, isNarrow]);
  useEffect(() => {
    // On a touch screen, the focus would open the keyboard.
    if (document.activeElement === document.body && matchMedia('(pointer: fine)').matches) {
      queryEditor?.focus();
    }
  }, [queryEditor]);
}

function hex(token: string): string {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(--${token})`;
  const channels = getComputedStyle(probe).color.match(/\d+/g) ?? [];
  probe.remove();
  return channels.map((one) => Number(one).toString(16).padStart(2, '0')).join('');
}

function theme() {
  const color = (token: string): string => `#${hex(token)}`;
  const bracketColors = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`editorBracketHighlight.foreground${level}`, color('text')]),
  );
  return {
    base: dark.matches ? ('vs-dark' as const) : ('vs' as const),
    inherit: false,
    rules: [
      { token: '', foreground: hex('text') },
      { token: 'comment', foreground: hex('text-muted') },
      { token: 'keyword', foreground: hex('accent') },
      { token: 'type', foreground: hex('accent') },
      { token: 'string', foreground: hex('success') },
      { token: 'string.key.json', foreground: hex('accent') },
      { token: 'number', foreground: hex('warning') },
      { token: 'annotation', foreground: hex('danger') },
      { token: 'argument.identifier', foreground: hex('warning') },
      { token: 'key.identifier', foreground: hex('text') },
    ],
    colors: {
      'editor.background': color('surface'),
      'editor.foreground': color('text'),
      'editorLineNumber.foreground': color('text-muted'),
      'editorLineNumber.dimmedForeground': color('text-muted'),
      'editorLineNumber.activeForeground': color('text'),
      'editorBracketHighlight.unexpectedBracket.foreground': color('danger'),
      'editorCursor.foreground': color('accent'),
      'editor.selectionBackground': color('accent-soft'),
      'editor.inactiveSelectionBackground': color('surface-hover'),
      'editorWidget.background': color('surface'),
      'editorWidget.border': color('border-strong'),
      'editorSuggestWidget.foreground': color('text'),
      'editorSuggestWidget.selectedBackground': color('accent-soft'),
      'editorSuggestWidget.selectedForeground': color('accent-soft-text'),
      'editorSuggestWidget.highlightForeground': color('accent'),
      'editorSuggestWidget.focusHighlightForeground': color('accent'),
      'editorHoverWidget.background': color('surface'),
      'editorHoverWidget.border': color('border-strong'),
      'editorLink.activeForeground': color('accent'),
      'textLink.foreground': color('accent'),
      'list.hoverBackground': color('surface-hover'),
      ...bracketColors,
      focusBorder: color('accent'),
      'input.background': color('surface'),
      'input.border': color('border-strong'),
    },
  };
}
