import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const folder = new URL('../../examples/own-fields/', import.meta.url);

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly {
    readonly name: string;
    readonly files?: readonly string[];
  }[];
  readonly patches: readonly { readonly patch: string }[];
}

interface Patch {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly args: readonly string[];
            readonly volumeMounts: readonly [{ readonly name: string; readonly mountPath: string }];
          },
        ];
      };
    };
  };
}

const { configMapGenerator, patches } = parse(
  readFileSync(new URL('kustomization.yaml', folder), 'utf8'),
) as Kustomization;
const patch = parse(patches[0]!.patch) as Patch;
const [{ args, volumeMounts }] = patch.spec.template.spec.containers;

/** What examples/own-fields/kustomization.yaml adds to the pods: the files of a team, their volume, and the arguments. */
export const teamOverlay = {
  files: configMapGenerator.flatMap(({ files = [] }) => files),
  mount: volumeMounts[0],
  args,
};
