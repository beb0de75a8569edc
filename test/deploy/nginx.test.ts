import { expect, it } from 'vitest';
import { settings } from '../../src/features/settings.ts';
import { compose, readDeployFile } from './compose.ts';

const lines = readDeployFile('nginx.conf')
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim());
const valuesOf = (name: string): string[] =>
  lines
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => line.slice(name.length + 1, -1));

it('deploy/nginx.conf is the proxy of deploy/compose.yaml', () => {
  expect(valuesOf('listen')).toEqual(['8080']);
  expect(lines.filter((line) => /^server [^{]/.test(line))).toEqual(['server gateway:4000;']);
  const { volumes, ports } = compose.services.proxy;
  expect(volumes).toEqual(['./nginx.conf:/etc/nginx/nginx.conf:ro']);
  expect(ports).toEqual([expect.stringMatching(/:8080$/)]);
  expect(compose.services.gateway).not.toHaveProperty('ports');
});

it('deploy/nginx.conf allows what the defaults of the settings do', () => {
  const mib = (value: string): number => Number(value.replace(/m$/, '')) * 2 ** 20;
  const [body, upload, file] = valuesOf('client_max_body_size').map(mib);
  expect([body, file]).toEqual(Array(2).fill(Number(settings.maxBodyBytes.defaultText)));
  expect(upload).toBeGreaterThan(Number(settings.maxUploadBytes.defaultText));
  expect(mib(valuesOf('proxy_max_temp_file_size')[0]!)).toBeGreaterThan(
    Number(settings.maxResponseBytes.defaultText),
  );
  expect(Number.parseInt(valuesOf('proxy_read_timeout')[0]!, 10) * 1000).toBeGreaterThan(
    Number(settings.requestTimeoutMs.defaultText),
  );
});
