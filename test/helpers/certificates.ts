import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Paths of PEM files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that no system trusts. */
export interface PrivateAuthority extends Certificate {
  /** Issues a certificate for `127.0.0.1`, which is also valid for clients. */
  issue(): Certificate;
}

/** Creates a certificate authority with Debian's openssl. Its files are removed when the test ends. */
export function createAuthority(): PrivateAuthority {
  const directory = mkdtempSync(join(tmpdir(), 'certificates-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const create = (name: string, ...args: readonly string[]): Certificate => {
    const cert = join(directory, `${name}.pem`);
    const key = join(directory, `${name}.key`);
    const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 1 -subj /CN=${name}`;
    execFileSync('openssl', [...options.split(' '), '-keyout', key, '-out', cert, ...args], {
      stdio: 'pipe',
    });
    return { cert, key };
  };
  const authority = create('authority');
  let count = 0;
  return {
    ...authority,
    issue() {
      const signedBy = ['-CA', authority.cert, '-CAkey', authority.key];
      const extensions = ['subjectAltName=IP:127.0.0.1', 'basicConstraints=critical,CA:FALSE'];
      count += 1;
      return create(
        `issued-${count}`,
        ...signedBy,
        ...extensions.flatMap((one) => ['-addext', one]),
      );
    },
  };
}

/** The contents of the files, for servers of Node. */
export function readCertificate({ cert, key }: Certificate): Certificate {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}
