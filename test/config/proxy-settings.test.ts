import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../src/config/proxy-settings.ts';
import { readConfig, readEnvironment } from '../../src/features/settings.ts';

const proxies = {
  httpsProxy: 'http://secure:3128/',
  httpProxy: 'http://plain:3128/',
  noProxy: null,
};

describe('proxyFor', () => {
  it('chooses by the scheme of the service', () => {
    expect(proxyFor('https://dms.example', proxies)).toBe('http://secure:3128/');
    expect(proxyFor('http://dms.example', proxies)).toBe('http://plain:3128/');
    expect(proxyFor('https://dms.example', { ...proxies, httpsProxy: null })).toBeNull();
    expect(proxyFor(null, proxies)).toBeNull();
  });

  it.each([
    ['*', 'https://dms.example'],
    ['dms.example', 'https://dms.example'],
    ['DMS.Example', 'https://dms.example.'],
    ['other, dms.example:443', 'https://dms.example'],
    ['other dms.example:8443', 'https://dms.example:8443'],
    ['example', 'https://dms.example'],
    ['.example', 'https://dms.example'],
    ['.dms.example', 'https://dms.example'],
    ['*.example', 'https://dms.example'],
    ['10.0.0.5', 'https://10.0.0.5'],
    ['10.0.0.0/8', 'https://10.1.2.3:8443'],
    ['[fd00::1]:443', 'https://[fd00::1]'],
    ['fd00::1', 'https://[fd00::1]'],
    ['fd00::/8', 'https://[fd12::1]'],
    ['[0:0:0:0:0:0:0:1]:443', 'https://[::1]'],
    ['2001:DB8:0::1', 'https://[2001:db8::1]'],
    ['müller.example', 'https://dms.müller.example'],
  ])('is null if NO_PROXY=%s excepts %s', (noProxy, url) => {
    expect(proxyFor(url, { ...proxies, noProxy })).toBeNull();
  });

  it.each([
    ['', 'https://dms.example'],
    [' , ', 'https://dms.example'],
    ['ms.example', 'https://dms.example'],
    ['*.dms.example', 'https://dms.example'],
    ['dms.example:80', 'https://dms.example'],
    ['10.0.0.0/8', 'https://11.1.2.3'],
    ['10.0.0.0/99', 'https://10.1.2.3'],
    ['10.0.0.0/x', 'https://10.1.2.3'],
    ['fd00::/8', 'https://10.1.2.3'],
    ['0.0.5', 'https://10.0.0.5'],
    ['.', 'https://dms.example'],
  ])('is the proxy if NO_PROXY=%j does not except %s', (noProxy, url) => {
    expect(proxyFor(url, { ...proxies, noProxy })).toBe('http://secure:3128/');
  });
});

describe('settings of proxies', () => {
  const DMS_URL = 'https://dms.example';

  it('can be without a scheme', () => {
    const { dmsProxy } = readConfig({ DMS_URL, HTTPS_PROXY: 'ann:hunter%402@secure:3128' });
    expect(dmsProxy).toBe('http://ann:hunter%402@secure:3128/');
  });

  it('in lower case take precedence in the environment', () => {
    const HTTPS_PROXY = 'http://upper';
    const config = readEnvironment({ DMS_URL, HTTPS_PROXY, https_proxy: 'http://lower' });
    expect(config.dmsProxy).toBe('http://lower/');
    expect(readEnvironment({ DMS_URL, HTTPS_PROXY, https_proxy: '' }).dmsProxy).toBe(
      'http://upper/',
    );
    expect(readEnvironment({ DMS_URL, HTTPS_PROXY, no_proxy: '.example' }).dmsProxy).toBeNull();
  });

  it.each([
    'ftp://ann:hunter2@proxy',
    'http://ann:hunter2@proxy/path',
    'http://ann:hunter2%@proxy',
    'http://ann:12345#hunter2@proxy',
  ])('reject %s without repeating it', (HTTPS_PROXY) => {
    const read = () => readConfig({ DMS_URL, HTTPS_PROXY });
    expect(read).toThrow(/HTTPS_PROXY must /);
    expect(read).not.toThrow(/hunter/);
  });
});
