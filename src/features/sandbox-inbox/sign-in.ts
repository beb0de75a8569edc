import { SignJWT } from 'jose';
import { createSecretKey } from 'node:crypto';
import type { TokenRules } from '../../model/identity.ts';
import { unavailable } from '../../server/errors/http-error.ts';

/** A person of the sandbox who can sign in. */
interface SandboxPerson {
  readonly systemId: string;
  /** First, middle and last name. */
  readonly name: string;
  readonly email: string;
  /** Name of the person's unit. */
  readonly unit: string;
  /** Roles in the DMS, such as `elAdminDocsR`. Empty for most people. */
  readonly roles: readonly string[];
}

const issuer = 'embedded-sandbox';
const audience = 'gateway';
const timeoutMs = 5000;

/** Address and secrets of the embedded sandbox. */
export interface SandboxSignInOptions {
  readonly url: string;
  /** `Authorization` header of the service account. */
  readonly authorization: string;
  /** Signs the tokens. The same in all processes of a gateway, and new with each start. */
  readonly tokenSecret: string;
  /** Lifetime of the tokens in seconds. Default: 15 minutes. */
  readonly lifetimeS?: number;
}

/** Creates the sign-in of an embedded sandbox. Listing the people costs one request to it. */
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
    /** How the gateway verifies the tokens. */
    tokens: { secret, jwksUrl: null, issuer, audience, runAsClaim: 'sub' } satisfies TokenRules,
    /**
     * The response of /sandbox/people: active persons, each with a bearer token for `Authorization`, and when all of these
     * tokens expire, in ISO 8601. @throws {HttpError} 503 if the sandbox does not respond
     */
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
