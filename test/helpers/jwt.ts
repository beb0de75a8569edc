import { SignJWT, type JWTPayload } from 'jose';

const secret = 'a secret of more than 32 characters, for tokens';

/** Verifies the tokens of `tokenWith`. The user is in the claim `email`. */
export const jwtIdentity = {
  mode: 'jwt' as const,
  secret,
  jwksUrl: null,
  issuer: null,
  audience: null,
  runAsClaim: 'email',
};

/** Signs a token that is valid for an hour, unless the claims contain `exp`. */
export function tokenWith(claims: JWTPayload, key: string = secret): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' });
  if (claims.exp === undefined) token.setExpirationTime('1h');
  return token.sign(new TextEncoder().encode(key));
}
