import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { createPortal } from 'react-dom';
import { ignoreHeldEnter } from '../../ui/keys.ts';
import { refuseFiles } from '../../ui/refuse-files.ts';
import { HeaderControls } from './frame/header-controls.tsx';
import './monaco.ts';
import '../../ui/tokens.css';
import '../../ui/base.css';
import '../../ui/components.css';
import './styles/frame.css';

ignoreHeldEnter();
refuseFiles();

const Workbench = lazy(async () => {
  const { Workbench } = await import('./frame/workbench.tsx');
  return { default: Workbench };
});

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    {createPortal(<HeaderControls />, document.querySelector('#header-controls')!)}
    <Suspense fallback={<div className="loading" role="status" aria-label="Loading the editor" />}>
      <Workbench />
    </Suspense>
  </StrictMode>,
);
