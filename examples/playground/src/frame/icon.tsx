/** Outlines on a grid of 24 × 24. */
const paths = {
  calls: 'M4 6h9M8 12h9M12 18h8',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  documentation: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6',
  examples: 'M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z',
  history: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10',
  merge: 'M6 4v4c0 4 12 4 12 8v4M18 4v4c0 1.6-2 2.6-4 3.4M6 20v-4c0-1.6 2-2.6 4-3.4',
  next: 'M9 6l6 6-6 6',
  play: 'M7 4l12 8-12 8z',
  plus: 'M12 5v14M5 12h14',
  prettify: 'M4 6h10M8 11h12M8 16h8M4 21h10',
  stop: 'M6 6h12v12H6z',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof paths;

/** An icon. It is decoration: what it means is in the text beside it, or in the label of its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
