import { describe, expect, it, vi } from 'vitest';
import { defineGateway } from '../../src/index.ts';
import { schemaWith } from '../../src/schema/index.ts';
import { resolverError } from '../../src/schema/public.ts';
import { compiledAfter } from '../helpers/execution-mode.ts';
import { fakeTimers } from '../helpers/fake-timers.ts';
import { startGateway } from '../helpers/gateway.ts';
import { answersInParts, mergeParts, queryParts } from '../helpers/result-parts.ts';

/*
 * Types of a team whose functions and properties fail, by every way of execution: interpreted, compiled, and in parts.
 * All have the same result, and dispose the context of the team once.
 */

type Answer = () => unknown;

const secret = 'a secret of the team';
const fail = (error: unknown): never => {
  throw error;
};
const unreadable = new Proxy(new Error(secret), { get: () => fail(new Error(secret)) });
const coded = () => resolverError('FORBIDDEN', 'Not this one.');

/** What a function or property of a team does. The first word says with what the field fails. */
const failures: Readonly<Record<string, Answer>> = {
  throws: () => fail(new Error(secret)),
  throwsText: () => fail(secret),
  throwsSeveral: () => fail(new AggregateError([coded(), coded()], secret)),
  throwsUnreadable: () => fail(unreadable),
  forbids: () => fail(coded()),
  rejects: async () => fail(new Error(secret)),
  rejectsUnreadable: async () => fail(unreadable),
  forbidsLater: async () => fail(coded()),
  never() {
    waiting++;
    return new Promise<never>(() => {});
  },
  neverThen() {
    waiting++;
    // oxlint-disable-next-line unicorn/no-thenable -- a promise of another library
    return { then() {} };
  },
};

/** How many of these never return. */
let waiting = 0;

const codeOf = (name: string): string => {
  if (name.startsWith('forbids')) return 'FORBIDDEN';
  return name.startsWith('never') ? 'UPSTREAM_TIMEOUT' : 'INTERNAL_SERVER_ERROR';
};

/** A selection of one field of Query, and its result in every way of execution. */
interface Case {
  readonly selection: string;
  readonly value: unknown;
  /** Paths of the errors below the field. */
  readonly failed: readonly (readonly (string | number)[])[];
  readonly code: string;
}

const cases: Case[] = [];

const { schema: extendSchema } = defineGateway({
  schema(builder, { DocumentRef, PersonRef }) {
    builder.queryField('ok', (t) => t.int({ resolve: () => 1 }));

    /** Adds two fields, of which one resolves later, and the cases of a selection below them. */
    const add = (
      name: string,
      type: unknown,
      source: unknown,
      below: string,
      outcome: Pick<Case, 'value'> & Partial<Pick<Case, 'failed' | 'code'>>,
    ): void => {
      const isList = Array.isArray(type);
      for (const field of [name, `${name}_later`]) {
        builder.queryField(field, (t) =>
          t.field({
            type: type as never,
            nullable: (isList ? { list: true, items: true } : true) as never,
            resolve: (field === name ? () => source : async () => source) as never,
          }),
        );
        cases.push({ selection: `${field} ${below}`, code: codeOf(name), failed: [], ...outcome });
      }
    };
    const named = (name: string) => builder.objectRef<object>(name);
    const fields = (t: { string(options: object): unknown }) =>
      ({ label: t.string({ resolve: () => 'a' }) }) as never;

    for (const [name, answer] of Object.entries<Answer>({
      ...failures,
      is: () => true,
      isLater: async () => true,
      isText: () => 'yes',
      not: () => false,
      notLater: async () => false,
      notAnything: () => undefined,
    })) {
      const isTypeOf = answer as never;
      const [value, failed] = name.startsWith('is') ? [{ label: 'a' }, []] : [null, [[]]];
      const code = codeOf(name);
      named(`Object_${name}`).implement({ isTypeOf, fields });
      add(`object_${name}`, `Object_${name}`, {}, '{ label }', { value, failed, code });
      add(`objects_${name}`, [`Object_${name}`], [{}, {}], '{ label }', {
        value: [value, value],
        failed: failed.length === 0 ? [] : [[0], [1]],
        code,
      });
      const interfaceRef = builder.interfaceRef<object>(`Interface_${name}`).implement({ fields });
      named(`Member_${name}`).implement({ interfaces: [interfaceRef], isTypeOf, fields });
      add(`interface_${name}`, `Interface_${name}`, {}, '{ label }', { value, failed, code });
    }

    named('Known').implement({ fields });
    for (const [name, answer] of Object.entries<Answer>({
      ...failures,
      is: () => 'Known',
      isLater: async () => 'Known',
      unknown: () => 'Unknown',
      other: () => 'Document',
      number: () => 1,
      object: () => ({}),
      list: () => ['Known'],
      null: () => null,
      empty: () => '',
    })) {
      builder.unionType(`Union_${name}`, { types: [named('Known')], resolveType: answer as never });
      const [value, failed] = name.startsWith('is') ? [{ label: 'a' }, []] : [null, [[]]];
      // Pothos takes what `then` returns for the name.
      const outcome = { value, failed, code: codeOf(name === 'neverThen' ? 'throws' : name) };
      add(`union_${name}`, `Union_${name}`, {}, '{ ... on Known { label } }', outcome);
    }

    for (const [name, answer] of Object.entries<Answer>({
      ...failures,
      is: () => 'a',
      isLater: async () => 'a',
      undefined: () => undefined,
      null: () => null,
      function: () => () => 1,
      symbol: () => Symbol(secret),
      bigInt: () => 1n,
      notFinite: () => NaN,
    })) {
      // A promise is no serialized value. Errors of `serialize` can quote values, so no code makes them visible.
      const code = 'INTERNAL_SERVER_ERROR';
      const value = name === 'is' ? 'a' : null;
      builder.scalarType(`Scalar_${name}` as never, {
        serialize: answer,
        parseValue: (given) => given as never,
      });
      const failed = value === null ? [[]] : [];
      add(`scalar_${name}`, `Scalar_${name}`, 'b', '', { value, failed, code });
      add(`scalars_${name}`, [`Scalar_${name}`], ['b', Promise.resolve('b')], '', {
        value: [value, value],
        failed: value === null ? [[0], [1]] : [],
        code,
      });
    }

    const Own = builder.objectRef<Record<string, never>>('Own').implement({
      fields: (t) => ({
        text: t.exposeString('text', { nullable: true }),
        texts: t.exposeStringList('texts', { nullable: { list: true, items: true } }),
        required: t.exposeString('required'),
      }),
    });
    for (const [name, answer] of Object.entries<Answer>({
      ...failures,
      is: () => 'a',
      isLater: async () => 'a',
      null: () => null,
      undefined: () => undefined,
      object: () => ({}),
      error: () => new Error(secret),
      unreadable: () => unreadable,
      symbol: () => Symbol(secret),
    })) {
      const code = codeOf(name);
      const value = name.startsWith('is') ? 'a' : null;
      const isFailure = !/^(is|null|undefined)/.test(name);
      const property = (key: string) => ({
        value: { [key]: value },
        failed: isFailure ? [[key]] : [],
        code,
      });
      const get = { get: answer, enumerable: true };
      add(`own_${name}`, Own, Object.defineProperty({}, 'text', get), '{ text }', property('text'));
      add(`function_${name}`, Own, { text: answer }, '{ text }', property('text'));
      add(`required_${name}`, Own, { required: answer }, '{ required }', {
        value: value === null ? null : { required: value },
        failed: value === null ? [['required']] : [],
        code: isFailure ? code : 'INTERNAL_SERVER_ERROR',
      });
      const isThrown = /^throws|^forbids$|^unreadable/.test(name);
      add(`list_${name}`, Own, { texts: () => [answer(), answer()] }, '{ texts }', {
        value: { texts: isThrown ? null : [value, value] },
        failed: !isFailure
          ? []
          : isThrown
            ? [['texts']]
            : [
                ['texts', 0],
                ['texts', 1],
              ],
        code,
      });
      // Types of the gateway, whose compiled operations read properties without a resolver.
      const document = { shortId: answer, tags: () => [answer()] };
      add(`document_${name}`, DocumentRef, document, '{ shortId }', property('shortId'));
      const person = Object.defineProperty({}, 'email', get);
      add(`person_${name}`, PersonRef, person, '{ email }', property('email'));
    }
  },
});
schemaWith(null, extendSchema!); // built once, which fills the table

const created: object[] = [];
const disposed: object[] = [];

const requestTimeoutMs = 10_000;
const start = (compileAfter: number) =>
  startGateway({
    server: { ...compiledAfter(compileAfter), requestTimeoutMs },
    parts: {
      extendSchema,
      createTeamContext({ caller }) {
        if (caller.key === '') return {}; // the start checks the function
        const team = { [Symbol.dispose]: () => void disposed.push(team) };
        created.push(team);
        return team as never;
      },
    },
  });

interface Result {
  readonly data?: unknown;
  readonly errors?:
    | readonly {
        readonly path?: readonly unknown[];
        readonly extensions: Record<string, unknown>;
      }[]
    | undefined;
}

/** How many fields an operation can have beside `ok`. */
const maxFields = 15;

const shown = (field: string, { data, errors = [] }: Result) => ({
  value: (data as Readonly<Record<string, unknown>> | null)?.[field],
  errors: errors
    .filter(({ path }) => path === undefined || path[0] === field)
    .map(({ path, extensions }) => ({ path, code: extensions['code'] })),
});

describe.each([...Map.groupBy(cases, ({ selection }) => selection.split('_')[0]!)])(
  'what a team answers for %s',
  (_site, all) => {
    it.each([
      ['at once or later', all.filter(({ code }) => code !== 'UPSTREAM_TIMEOUT')],
      ['never', all.filter(({ code }) => code === 'UPSTREAM_TIMEOUT')],
    ])('%s has the same result by every execution', async (when, group) => {
      waiting = 0;
      const interpreted = await start(0);
      const compiled = await start(1);
      if (when === 'never') fakeTimers('performance', 'setTimeout');
      /** The result. The deadline passes as soon as all fields that never return are waited for. */
      const answered = async <T>(fields: readonly Case[], result: Promise<T>): Promise<T> => {
        if (when === 'never') {
          const calls = fields.reduce((sum, { failed }) => sum + failed.length, 0);
          await expect.poll(() => waiting).toBe(calls);
          waiting = 0;
          vi.advanceTimersByTime(requestTimeoutMs);
        }
        return result;
      };
      const parts = async (document: string) => mergeParts(await queryParts(interpreted, document));
      const check = (execution: string, result: Result, { selection, ...one }: Case): void => {
        const [field = ''] = selection.split(' ');
        const { code } = one;
        const errors = one.failed.map((path) => ({ path: [field, ...path], code }));
        // The deadline ends a stream as a whole.
        const isStream = execution === 'in a later part' && code === 'UPSTREAM_TIMEOUT';
        expect({ execution, ...shown(field, result) }).toEqual({
          execution,
          value: isStream ? undefined : one.value,
          errors: isStream ? [{ path: undefined, code }] : errors,
        });
        expect(JSON.stringify(result)).not.toContain(secret);
      };
      for (let from = 0; from < group.length; from += maxFields) {
        const some = group.slice(from, from + maxFields);
        const together = some.map(({ selection }) => selection).join(' ');
        const results = {
          interpreted: await answered(some, interpreted.query(`{ ok ${together} }`)),
          ...(answersInParts && {
            'in the first part': await answered(some, parts(`{ ${together} ... @defer { ok } }`)),
            'in a later part': await answered(some, parts(`{ ok ... @defer { ok ${together} } }`)),
          }),
        };
        // Alone: some of the others are not compiled.
        const alone = some.map(({ selection }) => compiled.query(`{ ok ${selection} }`));
        for (const [index, result] of (await answered(some, Promise.all(alone))).entries()) {
          check('compiled', result, some[index]!);
          for (const [execution, other] of Object.entries(results)) {
            check(execution, other, some[index]!);
          }
        }
      }
      await expect.poll(() => disposed.length).toBe(created.length);
      expect(new Set(disposed).size).toBe(created.length);
    });
  },
);
