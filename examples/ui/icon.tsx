/** Outlines on a grid of 24 × 24. */
const paths = {
  all: 'M4 6h16M4 12h16M4 18h16',
  archive: 'M4 4h16v4H4zM6 8v12h12V8M10 12h4',
  arrowLeft: 'M19 12H5M11 6l-6 6 6 6',
  calls: 'M4 6h9M8 12h9M12 18h8',
  check: 'M5 13l4 4L19 7',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  document: 'M7 3h7l5 5v13H7zM14 3v5h5',
  documentation: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  examples: 'M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  filter: 'M4 6h16M7 12h10M10 18h4',
  first: 'M18 6l-6 6 6 6M7 6v12',
  history: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9h.01',
  inbox: 'M5 4h14l2 10v5H3v-5zM3 14h5a4 4 0 0 0 8 0h5',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10',
  last: 'M6 6l6 6-6 6M17 6v12',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.6-3.6a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.6 3.6a4 4 0 0 0 5.7 5.7L12 17.7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  merge: 'M6 4v4c0 4 12 4 12 8v4M18 4v4c0 1.6-2 2.6-4 3.4M6 20v-4c0-1.6 2-2.6 4-3.4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  next: 'M9 6l6 6-6 6',
  play: 'M7 4l12 8-12 8z',
  plus: 'M12 5v14M5 12h14',
  prettify: 'M4 6h10M8 11h12M8 16h8M4 21h10',
  previous: 'M15 6l-6 6 6 6',
  repository: 'M4 7c0-2 16-2 16 0v10c0 2-16 2-16 0zM4 7c0 2 16 2 16 0M4 12c0 2 16 2 16 0',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.5-4.5',
  sort: 'M7 5v14M4 16l3 3 3-3M17 19V5M14 8l3-3 3 3',
  stop: 'M6 6h12v12H6z',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20a7 7 0 0 1 14 0',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
} as const;

export type IconName = keyof typeof paths;

/** An icon. It is decoration: what it means is in the text beside it, or in the label of its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
