import { createBrowserRouter, Navigate } from 'react-router';
import { CreatePage } from '../features/create/create-page.tsx';
import { DocumentPage } from '../features/document/document-page.tsx';
import { ViewPage } from '../features/views/view-page.tsx';
import { AppLayout } from './app-layout.tsx';
import { CrashPage, NotFoundPage } from './error-pages.tsx';

export function createRouter() {
  return createBrowserRouter([
    {
      element: <AppLayout />,
      errorElement: <CrashPage />,
      children: [
        { path: '/', element: <Navigate to="/app/views/inbox" replace /> },
        { path: '/app', element: <Navigate to="/app/views/inbox" replace /> },
        { path: '/app/views/:view', element: <ViewPage /> },
        { path: '/app/new', element: <CreatePage /> },
        { path: '/app/documents/:id', element: <DocumentPage /> },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}
