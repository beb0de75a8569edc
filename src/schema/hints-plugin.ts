import type * as Core from '@pothos/core';
import { BasePlugin, SchemaBuilder } from './libraries.ts';
import { extensionsWith, type FieldHints } from './plan/operation-plan.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends Core.SchemaTypes> {
      gatewayHints: HintsPlugin<Types>;
    }
  }
}

const hints: Readonly<Record<keyof FieldHints, true>> = {
  requires: true,
  requiresUnder: true,
  keyOnly: true,
  parse: true,
  limitCost: true,
  cost: true,
  hasSideEffect: true,
  upstreamCalls: true,
  listCost: true,
  isTeamField: true,
};

class HintsPlugin<Types extends Core.SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(
    config: Core.PothosOutputFieldConfig<Types>,
  ): Core.PothosOutputFieldConfig<Types> {
    const given = Object.entries(config.pothosOptions).filter(([name]) =>
      Object.hasOwn(hints, name),
    );
    if (given.length === 0) return config;
    return { ...config, extensions: extensionsWith(Object.fromEntries(given), config.extensions) };
  }
}

export const hintsPlugin = 'gatewayHints';
SchemaBuilder.registerPlugin(hintsPlugin, HintsPlugin);
