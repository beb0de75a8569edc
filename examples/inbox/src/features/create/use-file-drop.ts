import { useEffect, useEffectEvent, useState } from 'react';

export function useFileDrop(
  onDrop: (files: readonly File[], hasFolders: boolean) => void,
): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsDragging(false); // the pointer has left the window
    };
    const onDropEvent = (event: DragEvent): void => {
      setIsDragging(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const items = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
      const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true;
      const files = items.flatMap((item) => (isFolder(item) ? [] : (item.getAsFile() ?? [])));
      drop(files, files.length < items.length);
    };
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDropEvent, { signal });
    return () => abort.abort();
  }, []);
  return isDragging;
}
