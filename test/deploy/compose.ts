import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Service {
  readonly build: { readonly context: string; readonly dockerfile: string };
  readonly image: string;
  readonly environment: readonly string[];
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly stop_grace_period: string;
  readonly read_only: boolean;
  readonly command?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly profiles?: readonly string[];
}

export interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<'gateway' | 'sandbox', Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

export const composeFile = new URL('../../deploy/compose.yaml', import.meta.url);

/** deploy/compose.yaml with its YAML anchors resolved, as Compose reads it. */
export const compose = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as Compose;
