/** GraphiQL, as the bundle of `@graphql-yoga/render-graphiql` defines it. */
declare const YogaGraphiQL: {
  renderYogaGraphiQL(
    element: Element,
    props: {
      title: string;
      defaultQuery: string;
      query: string;
      defaultEditorToolsVisibility: undefined;
      fetcher: unknown;
    },
  ): void;
};

/** The part of Monaco that the page uses. GraphiQL exposes it because of `MonacoEnvironment.globalAPI`. */
declare const monaco: {
  editor: {
    setTheme(name: string): void;
    getModels(): { uri: { path: string }; getValue(): string; setValue(text: string): void }[];
  };
};

interface Window {
  MonacoEnvironment: { getWorkerUrl(moduleId: string, label: string): string };
}
