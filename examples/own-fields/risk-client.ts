import DataLoader from 'dataloader';

/** What the risk service has to know about a document. */
export interface RiskRequest {
  readonly id: string;
  /** System ID of a user. */
  readonly author: string | null;
  /** A decimal number. */
  readonly total: string | null;
}

export interface Risk {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** The risk service for one request to the gateway. */
export interface RiskClient {
  /** Null if the service does not know the risk of the document. */
  of(document: RiskRequest): Promise<Risk | null>;
}

/**
 * Creates the client of one request to the gateway. All documents of a page are one request to the service, at most 100.
 *
 * @param user the user of the request, who sees the result. Null for the service account
 */
export function createRiskClient(url: string, user: string | null): RiskClient {
  const loader = new DataLoader<RiskRequest, Risk | null, string>(
    (documents) => readRisks(url, user, documents),
    { cacheKeyFn: ({ id }) => id, maxBatchSize: 100 },
  );
  return { of: (document) => loader.load(document) };
}

async function readRisks(
  url: string,
  user: string | null,
  documents: readonly RiskRequest[],
): Promise<(Risk | null)[]> {
  const response = await fetch(`${url}/risks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user, documents }),
    signal: AbortSignal.timeout(2000),
  });
  if (!response.ok) throw new Error(`The risk service answered with ${response.status}.`);
  const risks = new Map(Object.entries((await response.json()) as Record<string, Risk>));
  return documents.map(({ id }) => risks.get(id) ?? null);
}
