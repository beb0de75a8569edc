import { describe, expect, it } from 'vitest';
import { readConfig, settings } from '../../src/features/settings.ts';
import { readStage } from './dockerfile.ts';
import {
  kustomization,
  podTemplate,
  readManifests,
  readPodSettings,
  type Manifest,
} from './kubernetes.ts';

const [container] = podTemplate.spec.containers;
const image = readStage('gateway');
const names: readonly string[] = Object.values(settings).map(({ name }) => name);
const manifests = [...kustomization.resources, 'secret.example.yaml'].flatMap(readManifests);
const specOf = (kind: string): unknown =>
  manifests.find((manifest) => manifest.kind === kind)!.spec;

describe('deploy/kubernetes', () => {
  it('has a patch for readiness without the DMS', () => {
    const probeOf = (manifest: Manifest | undefined) => {
      const { kind, metadata, spec } = manifest as unknown as {
        kind: string;
        metadata: { name: string };
        spec: { template: { spec: { containers: [{ name: string; readinessProbe: object }] } } };
      };
      const [{ name, readinessProbe }] = spec.template.spec.containers;
      return { kind, target: metadata.name, name, readinessProbe };
    };
    const [patch] = readManifests('readiness-healthz.yaml');
    const patched = probeOf(readManifests('deployment.yaml')[0]);
    expect(patched.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'http' } });
    const readinessProbe = { httpGet: { path: '/healthz' } };
    expect(probeOf(patch)).toEqual({ ...patched, readinessProbe });
  });

  it('contains only valid settings', () => {
    const [secret] = readManifests('secret.example.yaml') as unknown as [
      { stringData: Record<string, string> },
    ];
    const given = { ...readPodSettings(), ...secret.stringData };
    const unknown = Object.keys(given).filter((name) => !names.includes(name));
    expect(unknown.filter((name) => !name.startsWith('OTEL_'))).toEqual([]);
    expect(readConfig({ ...given, NODE_ENV: 'production' }).warnings).toEqual([]);
    const secrets = /SECRET|KEY$|AUTHORIZATION|REDIS_URL/;
    expect(Object.keys(readPodSettings()).filter((name) => secrets.test(name))).toEqual([]);
  });

  it('selects the pods everywhere', () => {
    const { labels } = podTemplate.metadata;
    const selector = { matchLabels: labels };
    expect(specOf('Deployment')).toMatchObject({ selector });
    expect(specOf('Service')).toMatchObject({ selector: labels });
    expect(specOf('PodDisruptionBudget')).toMatchObject({ selector });
    expect(specOf('NetworkPolicy')).toMatchObject({ podSelector: selector });
    expect(podTemplate.spec).toMatchObject({
      topologySpreadConstraints: [{ labelSelector: selector }, { labelSelector: selector }],
    });
    const [deployment] = readManifests('deployment.yaml');
    const { apiVersion, kind, metadata } = deployment!;
    expect(specOf('HorizontalPodAutoscaler')).toMatchObject({
      scaleTargetRef: { apiVersion, kind, name: metadata.name },
      minReplicas: 2,
    });
  });

  it('reaches the port of the image', () => {
    const port = Number(image.steps.find(({ name }) => name === 'EXPOSE')?.text);
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
    expect(podTemplate.metadata).toMatchObject({
      annotations: { 'prometheus.io/port': `${port}`, 'prometheus.io/path': '/metrics' },
    });
    expect(specOf('Service')).toMatchObject({ ports: [{ targetPort: 'http' }] });
    expect(specOf('NetworkPolicy')).toMatchObject({ ingress: [{ ports: [{ port: 'http' }] }] });
  });

  it('allows more time to stop than the gateway needs', () => {
    const { command } = container.lifecycle.preStop.exec;
    expect(command).toEqual(['sleep', expect.stringMatching(/^\d+$/)]);
    const neededMs = Number(command[1]) * 1000 + Number(settings.shutdownTimeoutMs.defaultText);
    const { terminationGracePeriodSeconds } = podTemplate.spec;
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(neededMs + 5000);
  });

  it('runs as the user of the image, restricted as far as possible', () => {
    const uid = Number(image.steps.find(({ name }) => name === 'USER')?.text.split(':')[0]);
    expect(podTemplate.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: uid,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    });
  });
});
