const names = [
  /^HOME$/,
  /^NODE_EXTRA_CA_CERTS$/,
  /^SSL_CERT_/,
  /^(?:https?|no)_proxy$/i,
  /^npm_config_(?:registry|cache|userconfig|globalconfig|ca|cafile|strict_ssl|https?_proxy|noproxy)$/i,
];

/**
 * The variables of this process with which npm reaches its registry. The file of the global configuration is one of them:
 * without the variable, npm looks for it beside the Node that runs it, which is the pinned one and not the machine's.
 */
export function registryEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => names.some((one) => one.test(name)));
  return Object.fromEntries(kept) as Record<string, string>;
}
