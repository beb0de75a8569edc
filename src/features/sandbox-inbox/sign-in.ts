import { SignJWT } from 'jose';
import { createSecretKey } from 'node:crypto';
import type { TokenRules } from '../../model/identity.ts';
import { unavailable } from '../../server/errors/http-error.ts';

interface SandboxPerson {
  readonly systemId: string;
  readonly name: string;
  readonly email: string;
  readonly unit: string;
  readonly roles: readonly string[];
}

const issuer = 'embedded-sandbox';
const audience = 'gateway';
const timeoutMs = 5000;

export interface SandboxSignInOptions {
  readonly url: string;
  readonly authorization: string;
  readonly tokenSecret: string;
  readonly lifetimeS?: number;
}

export function createSandboxSignIn(options: SandboxSignInOptions) {
  const { url, authorization, tokenSecret: secret, lifetimeS = 900 } = options;
  const key = createSecretKey(secret, 'utf8');
  const sign = ({ systemId }: SandboxPerson, expiresAtS: number): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(systemId)
      .setIssuer(issuer)
      .setAudience(audience)
      .setExpirationTime(expiresAtS)
      .sign(key);
  return {
    tokens: { secret, jwksUrl: null, issuer, audience, runAsClaim: 'sub' } satisfies TokenRules,
    async people() {
      const listed = await listPeople(url, authorization);
      const expiresAtS = Math.floor(Date.now() / 1000) + lifetimeS;
      const people = await Promise.all(
        listed.map(async (person) => ({ ...person, token: await sign(person, expiresAtS) })),
      );
      return { people, expiresAt: new Date(expiresAtS * 1000).toISOString() };
    },
  };
}

async function listPeople(url: string, authorization: string): Promise<readonly SandboxPerson[]> {
  try {
    const response = await fetch(`${url}/sandbox/people`, {
      headers: { authorization },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`GET /sandbox/people: status ${response.status}`);
    return (await response.json()) as readonly SandboxPerson[];
  } catch (cause) {
    throw unavailable('The sandbox does not respond.', cause);
  }
}
