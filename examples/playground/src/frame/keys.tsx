import { isMacOs } from '@graphiql/react';
import { KeyList } from '../../../ui/key-list.tsx';

const control = isMacOs ? '⌘' : 'Ctrl';

const keys: readonly (readonly [keys: readonly string[], what: string])[] = [
  [[control, 'Enter'], 'run the operation'],
  [['Ctrl', 'Space'], 'list the fields that fit'],
  [['Shift', 'Ctrl', 'P'], 'format the operation'],
];

export function Keys() {
  return <KeyList keys={keys} />;
}
