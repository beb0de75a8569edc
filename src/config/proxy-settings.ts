import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { hostOf } from '../model/common.ts';

export interface ProxySettings {
  readonly httpsProxy: string | null;
  readonly httpProxy: string | null;
  readonly noProxy: string | null;
}

export function proxyFor(
  serviceUrl: string | null,
  { httpsProxy, httpProxy, noProxy }: ProxySettings,
): string | null {
  if (serviceUrl === null) return null;
  const { protocol, hostname, port } = new URL(serviceUrl);
  const proxy = protocol === 'https:' ? httpsProxy : httpProxy;
  if (proxy === null || noProxy === null) return proxy;
  const host = hostOf(hostname).replace(/\.$/, '');
  const servicePort = port || (protocol === 'https:' ? '443' : '80');
  const isExcepted = noProxy
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matches(entry.toLowerCase(), host, servicePort));
  return isExcepted ? null : proxy;
}

function matches(entry: string, host: string, servicePort: string): boolean {
  if (entry.includes('/')) return isInNetwork(entry, host);
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [
    null,
    null,
    entry,
  ];
  if (port !== undefined && port !== servicePort) return false;
  const name = bracketed ?? plain ?? '';
  if (name === '*') return true;
  const version = isIP(name);
  if (version !== 0) return isInNetwork(`${name}/${version === 4 ? 32 : 128}`, host);
  // The host of a URL is in this form.
  const domain = domainToASCII(name.replace(/^\*?\./, '').replace(/\.$/, ''));
  if (isIP(host) !== 0 || domain === '') return false;
  // `*.example.com` does not contain `example.com`.
  return host.endsWith(`.${domain}`) || (!name.startsWith('*') && host === domain);
}

function isInNetwork(entry: string, host: string): boolean {
  const [network = '', prefix = ''] = entry.split('/');
  const version = isIP(host);
  if (version === 0 || isIP(network) !== version || !/^\d{1,3}$/.test(prefix)) return false;
  if (Number(prefix) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), family);
  return list.check(host, family);
}
