import type * as GraphQLTools from '@graphql-tools/utils';
import type * as Core from '@pothos/core';
import type * as AddGraphQL from '@pothos/plugin-add-graphql';
import type * as Relay from '@pothos/plugin-relay';
import type { GraphQLScalarType } from 'graphql';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FileUpload } from '../model/document.ts';

/*
 * Libraries that are loaded in part, or as CommonJS, because a start would take longer (bench/NOTES.md). The
 * ES modules of Pothos, some 70 files, take 35 ms. Yoga uses @graphql-tools/utils as CommonJS, so its 60 modules would
 * be loaded twice. graphql-upload-minimal's middleware loads a parser that fails on hostile bodies.
 */
const require = createRequire(import.meta.url);

/** The class of `builder`, on which every type of the schema is defined. */
export const SchemaBuilder: typeof Core.default = (require('@pothos/core') as typeof Core).default;

/**
 * `InputFieldBuilder` builds fields of an input of the gateway, which Pothos itself can only extend when it defines
 * them.
 */
export const { BasePlugin, InputFieldBuilder } = require('@pothos/core') as typeof Core;

/** Relay's nodes, global IDs and connections for the builder. */
export const { default: RelayPlugin } = require('@pothos/plugin-relay') as typeof Relay;

/** Loads the plugin that takes the types of an existing schema. Only a schema that a team extends needs it. */
export function loadAddGraphQL(): typeof AddGraphQL.default {
  return (require('@pothos/plugin-add-graphql') as typeof AddGraphQL).default;
}

/** Copies of a schema with changed fields, nodes of directives, and a check of values. */
export const { isPromise, makeDirectiveNode, mapSchema, MapperKind } =
  require('@graphql-tools/utils') as typeof GraphQLTools;

const uploads = dirname(require.resolve('graphql-upload-minimal'));

/** The scalar `Upload`. Its value is a promise of a `FileUpload`. */
export const GraphQLUpload = require(join(uploads, 'GraphQLUpload.js')) as GraphQLScalarType;

/** A file that a request has announced: what the variables of the request contain. A test resolves it itself. */
export interface Upload {
  readonly promise: Promise<FileUpload>;
  /** Set when the file has arrived. */
  readonly file?: FileUpload;
  resolve(file: FileUpload): void;
  reject(error: Error): void;
}

/** Creates one. Its types need those of express and koa, which no project of a team has. */
export const Upload = require(join(uploads, 'Upload.js')) as new () => Upload;
