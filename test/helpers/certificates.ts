import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

/** Paths of PEM files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** What differs from a certificate for `127.0.0.1` that is valid for a day. */
interface IssueOptions {
  /** Default `issued-1` and so on. */
  readonly name?: string;
  /** Default `IP:127.0.0.1`. */
  readonly altName?: string;
  /** First and last day, such as `20200101`. */
  readonly validity?: readonly [string, string];
}

/** A certificate authority that no system trusts. */
export interface PrivateAuthority extends Certificate {
  /** Issues a certificate, which is also valid for clients. */
  issue(options?: IssueOptions): Certificate;
}

/** Creates a certificate authority with Debian's openssl. Its files are removed when the test ends. */
export function createAuthority(authorityName = 'authority'): PrivateAuthority {
  const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const filesOf = (name: string): Certificate => ({
    cert: join(directory, `${name}.pem`),
    key: join(directory, `${name}.key`),
  });
  const newKey = 'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc';
  const create = (name: string, ...args: readonly string[]): Certificate => {
    const { cert, key } = filesOf(name);
    openssl(`${newKey} -x509 -days 1 -subj /CN=${name} -keyout ${key} -out ${cert}`, args);
    return { cert, key };
  };
  const authority = create(authorityName);
  let count = 0;
  return {
    ...authority,
    issue({ name = `issued-${(count += 1)}`, altName = 'IP:127.0.0.1', validity } = {}) {
      const extensions = [`subjectAltName=${altName}`, 'basicConstraints=critical,CA:FALSE'];
      if (validity === undefined) {
        const signedBy = ['-CA', authority.cert, '-CAkey', authority.key];
        return create(name, ...signedBy, ...extensions.flatMap((one) => ['-addext', one]));
      }
      // Only `openssl ca` accepts days in the past.
      const { cert, key } = filesOf(name);
      const [config, request] = [join(directory, 'ca.cnf'), join(directory, 'request.pem')];
      writeFileSync(join(directory, 'index.txt'), '');
      writeFileSync(
        config,
        `[ca]\ndefault_ca=own\n[own]\ndatabase=${join(directory, 'index.txt')}\nnew_certs_dir=${directory}\nserial=${join(directory, 'serial')}\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n[ext]\n${extensions.join('\n')}\n`,
      );
      openssl(`${newKey} -subj /CN=${name} -keyout ${key} -out ${request}`);
      const [from, to] = validity.map((day) => `${day}000000Z`);
      openssl(
        `ca -batch -notext -rand_serial -config ${config} -extensions ext -cert ${authority.cert} -keyfile ${authority.key} -startdate ${from} -enddate ${to} -in ${request} -out ${cert}`,
      );
      return { cert, key };
    },
  };
}

/** Encrypts a private key. Returns the path of the result. */
export function encryptKey(key: string, passphrase: string): string {
  const encrypted = `${key}.encrypted`;
  openssl(`pkcs8 -topk8 -in ${key} -passout pass:${passphrase} -out ${encrypted}`);
  return encrypted;
}

function openssl(command: string, args: readonly string[] = []): void {
  execFileSync('openssl', [...command.split(' '), ...args], { stdio: 'pipe' });
}

/** The contents of the files, for servers of Node. */
export function readCertificate({ cert, key }: Certificate): Certificate {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/**
 * Starts a server that rejects each client certificate of another authority than `trusted` with an alert. Node's only
 * closes the connection. Returns its URL.
 */
export async function startTlsRejection(
  { cert, key }: Certificate,
  trusted: Certificate,
): Promise<string> {
  const port = await freePort();
  const command = `s_server -accept 127.0.0.1:${port} -cert ${cert} -key ${key} -CAfile ${trusted.cert} -Verify 1 -verify_return_error`;
  const child = spawn('openssl', command.split(' '), { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  while (!output.includes('ACCEPT')) output += String(await once(child.stdout, 'data'));
  child.stdout.resume();
  return `https://127.0.0.1:${port}`;
}
