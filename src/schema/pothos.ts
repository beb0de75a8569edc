import { createRequire } from 'node:module';
import type * as Core from '@pothos/core';
import type * as AddGraphQL from '@pothos/plugin-add-graphql';
import type * as Relay from '@pothos/plugin-relay';

/* Pothos as CommonJS: its ES modules, some 70 files, take twice as long to load, 35 ms of a start. bench/NOTES.md */
const require = createRequire(import.meta.url);

/** The class of `builder`, on which every type of the schema is defined. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const SchemaBuilder: typeof Core.default = (require('@pothos/core') as typeof Core).default;

/** Builds fields of an input of the gateway, which Pothos itself can only extend when it defines them. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { InputFieldBuilder } = require('@pothos/core') as typeof Core;

/** Relay's nodes, global IDs and connections for the builder. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const { default: RelayPlugin } = require('@pothos/plugin-relay') as typeof Relay;

/** Loads the plugin that takes the types of an existing schema. Only a schema that a team extends needs it. */
export function loadAddGraphQL(): typeof AddGraphQL.default {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (require('@pothos/plugin-add-graphql') as typeof AddGraphQL).default;
}
