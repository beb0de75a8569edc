import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const folder = new URL('../../deploy/kubernetes/', import.meta.url);

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; labels?: Readonly<Record<string, string>> };
  readonly spec: unknown;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds?: number;
}

interface SecurityContext {
  readonly runAsUser: number;
}

interface Container {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: string[] } } };
  readonly volumeMounts?: readonly unknown[];
}

/** The template of the pods in deployment.yaml. */
export interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly securityContext: SecurityContext;
    readonly containers: readonly [Container];
    readonly volumes?: readonly unknown[];
  };
}

export interface Kustomization {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
  readonly configMapGenerator: readonly [
    { readonly name: string; readonly envs: readonly [string] },
  ];
}

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

export const kustomization = parse(read('kustomization.yaml')) as Kustomization;

/** The manifests of a file. */
export function readManifests(name: string): Manifest[] {
  return parseAllDocuments(read(name)).map((document) => document.toJS() as Manifest);
}

const [deployment] = readManifests('deployment.yaml');
export const podTemplate = (deployment!.spec as { template: PodTemplate }).template;

/** The settings that the pods get from the ConfigMap, by name. */
export function readPodSettings(): Record<string, string> {
  const [file] = kustomization.configMapGenerator[0].envs;
  const lines = read(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

interface Schema {
  readonly kinds: Readonly<Record<string, string>>;
  readonly definitions: Readonly<Record<string, Record<string, unknown>>>;
}

const schema = JSON.parse(
  readFileSync(new URL('./kubernetes-schema/v1.35.0.json', import.meta.url), 'utf8'),
) as Schema;

/** Types that OpenAPI 2 cannot describe: the API server also accepts numbers. */
const scalars: Record<string, object> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    type: ['number', 'string'],
    pattern: String.raw`^[+-]?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$`,
  },
};

const strict = Object.fromEntries(
  Object.entries(schema.definitions).map(([name, definition]) => {
    const isClosed = 'properties' in definition;
    return [
      name,
      scalars[name] ?? (isClosed ? { ...definition, additionalProperties: false } : definition),
    ];
  }),
);

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'kubernetes', definitions: strict });

/** Checks a manifest against the schema of its kind. Unknown fields are errors, as for `kubectl --validate=strict`. */
export function validateManifest(manifest: Manifest): ErrorObject[] {
  const name = schema.kinds[`${manifest.apiVersion}/${manifest.kind}`];
  if (name === undefined) throw new Error(`no schema for ${manifest.apiVersion}/${manifest.kind}`);
  const validate = ajv.getSchema(`kubernetes#/definitions/${name}`)!;
  void validate(manifest);
  return validate.errors ?? [];
}
