const httpHooks = [
  'onPluginInit',
  'onYogaInit',
  'onRequest',
  'onRequestParse',
  'onResultProcess',
  'onResponse',
  'instrumentation',
];

/**
 * Whether a plugin of a team sees HTTP. If so, no request is executed without Yoga's HTTP layer, and the plugins are asked
 * for the paths that the gateway does not have.
 */
export function hasHttpHooks(plugins: readonly object[]): boolean {
  return plugins.some((plugin) => httpHooks.some((hook) => hook in plugin));
}
