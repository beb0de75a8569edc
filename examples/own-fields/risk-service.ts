import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Risk, RiskRequest } from './risk-client.ts';

/** The second service: `POST /risks` with documents returns the risk of each that has a total, by ID. */
export function createRiskService(onRequest: (documents: number) => void): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { documents } = (await json(request)) as { documents: readonly RiskRequest[] };
    onRequest(documents.length);
    const known = documents.filter(({ total }) => Number(total) > 0);
    const risks = Object.fromEntries(known.map((document) => [document.id, riskOf(document)]));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(risks));
  };
  return createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
}

function riskOf({ total, author }: RiskRequest): Risk {
  const isLarge = Number(total) >= 1000;
  const isAutomatic = author?.startsWith('api-') ?? true;
  return {
    score: ((isLarge ? 6 : 0) + (isAutomatic ? 3 : 0)) / 10,
    reasons: [...(isLarge ? ['large total'] : []), ...(isAutomatic ? ['no author'] : [])],
  };
}
