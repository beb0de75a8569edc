import { GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { isExtraName } from '../../rest/index.ts';
import {
  valueTypes,
  type CustomField,
  type DeclaredForms,
  type Form,
  type FormOptions,
  type TypedField,
  type TypedForm,
  type ValueType,
} from '../../model/form.ts';
import { capitalized } from '../../schema/builder.ts';

/** The only type that the specification names. */
const specifiedTypes: ReadonlyMap<string, string> = new Map([['crmOrg', 'Organization']]);

const addedTypes = ['DocumentFieldsInput', 'DocumentFieldsUpdateInput', 'FieldLabel'];
const addedScalars = ['Decimal', 'Date'];
const addedFields = ['form', 'labels'];

export function defineForms(
  forms: readonly Form[],
  options: FormOptions,
  schema: GraphQLSchema,
): Omit<DeclaredForms, 'validatesValues'> {
  const { documentProperty = null } = options;
  const definer = new Definer(options, schema);
  const typed = definer.forms(forms);
  if (documentProperty !== null && !isExtraName(documentProperty)) {
    definer.problems.push(
      `documentProperty ${JSON.stringify(documentProperty)} is not the name of a plain property`,
    );
  }
  definer.reportUnused();
  if (definer.problems.length > 0) throw new Error(definer.problems.join('\n'));
  return { all: forms, typed, typesByTag: typesByTag(typed), documentProperty };
}

function typesByTag(forms: readonly TypedForm[]): ReadonlyMap<string, ReadonlySet<ValueType>> {
  const types = new Map<string, Set<ValueType>>();
  for (const { tag, type } of forms.flatMap(({ fields }) => fields)) {
    types.set(tag, (types.get(tag) ?? new Set()).add(type));
  }
  return types;
}

interface Named {
  readonly label: string;
  readonly key: string;
}

class Definer {
  readonly problems: string[] = [];
  readonly #names: Readonly<Record<string, string>>;
  readonly #types: Readonly<Record<string, string>>;
  readonly #used = new Set<string>();
  readonly #typeNames: Set<string>;
  readonly #documentFields: Set<string>;

  constructor({ names = {}, types = {} }: FormOptions, schema: GraphQLSchema) {
    this.#names = names;
    this.#types = types;
    const added = [...addedTypes, ...addedScalars];
    this.#typeNames = new Set([...Object.keys(schema.getTypeMap()), ...added]);
    const { Document } = schema.getTypeMap();
    const fields = Document instanceof GraphQLObjectType ? Object.keys(Document.getFields()) : [];
    this.#documentFields = new Set([...fields, ...addedFields]);
  }

  forms(forms: readonly Form[]): TypedForm[] {
    const keys = new Set<string>();
    for (const { fullId, shortId } of forms) {
      for (const id of new Set([fullId, shortId ?? fullId])) {
        if (keys.has(id)) this.problems.push(`form ${quoted(id)}: the file contains it twice`);
        keys.add(id);
      }
    }
    return forms
      .filter(({ customFields }) => customFields.length > 0)
      .map((form) => this.#form(form));
  }

  /** Reports names and types of what the file does not contain. */
  reportUnused(): void {
    for (const [option, keys] of [
      ['names', this.#names],
      ['types', this.#types],
    ] as const) {
      for (const key of Object.keys(keys)) {
        if (this.#used.has(`${option} ${key}`)) continue;
        this.problems.push(`${option}: no form, field or field type of the file is ${quoted(key)}`);
      }
    }
  }

  #form(form: Form): TypedForm {
    const key = form.shortId ?? form.fullId;
    const named = { label: `form ${quoted(key)}`, key };
    const name = lowerFirst(this.#nameOf(named, key, this.#documentFields));
    const base = capitalized(name);
    const typeName = `${base}Fields`;
    this.#claimTypes(named, [typeName, `${typeName}Input`, `${typeName}UpdateInput`]);
    return { form, name, typeName, fields: this.#fields(form.customFields, named, base, false) };
  }

  #fields(
    fields: readonly CustomField[],
    parent: Named,
    base: string,
    isColumn: boolean,
  ): TypedField[] {
    const tags = new Set<string>();
    const taken = new Set<string>();
    return fields.flatMap((field, index) => {
      const tag = field.fieldName ?? '';
      const label = `${parent.label}, ${isColumn ? 'column' : 'tag'} ${quoted(tag)}`;
      const isUsable = tag !== '' && !tags.has(tag);
      tags.add(tag);
      if (isUsable) {
        const named = { label, key: `${parent.key}.${tag}` };
        return [this.#field(field, tag, named, { base, taken, isColumn })];
      }
      const position = `${parent.label}: field ${index + 1}`;
      const problem = tag === '' ? `${position} has no \`fieldName\`` : `${label}: defined twice`;
      this.problems.push(`${problem}. Correct the file`);
      return [];
    });
  }

  #field(
    { type: fieldType, required, names, columns = [] }: CustomField,
    tag: string,
    named: Named,
    { base, taken, isColumn }: { base: string; taken: Set<string>; isColumn: boolean },
  ): TypedField {
    const name = this.#nameOf(named, tag, taken);
    const { type, isList } = this.#typeOf(named, fieldType);
    const isTable = type === 'Table';
    if (isTable && (isColumn || isList)) {
      this.problems.push(`${named.label}: a Table cannot be in a column or a list`);
    }
    const hasRows = isTable && !isColumn && columns.length > 0;
    const rowType = hasRows ? `${base}${capitalized(name)}Row` : null;
    if (rowType !== null) this.#claimTypes(named, [rowType, `${rowType}Input`]);
    return {
      tag,
      name,
      type,
      isList,
      isRequired: required === true,
      labels: names,
      rowType,
      columns: hasRows ? this.#fields(columns, named, base, true) : [],
    };
  }

  #nameOf({ label, key }: Named, text: string, taken: Set<string>): string {
    const given = this.#use('names', this.#names, key);
    const name = given ?? camelCase(text);
    const reason = !/^[A-Za-z][A-Za-z\d_]*$/.test(name)
      ? `${quoted(name)} is not a GraphQL name`
      : name in Object.prototype
        ? `the name ${quoted(name)} is reserved` // GraphQL.js also reads inherited properties of variables
        : taken.has(lowerFirst(name))
          ? `the name ${quoted(name)} is taken`
          : null;
    if (reason !== null) this.#suggest(label, key, reason, name, taken);
    taken.add(lowerFirst(name));
    return name;
  }

  #claimTypes({ label, key }: Named, typeNames: readonly string[]): void {
    const taken = typeNames.find((name) => this.#typeNames.has(name));
    if (taken !== undefined) {
      this.#suggest(label, key, `the type ${taken} exists already`, taken.replace(/Fields.*/, ''));
    }
    for (const name of typeNames) this.#typeNames.add(name);
  }

  #suggest(label: string, key: string, reason: string, name: string, taken = new Set()): void {
    const plain = lowerFirst(name.replaceAll(/[^A-Za-z\d]/g, ''));
    const start = /^[a-z]/.test(plain) ? `${plain}Field` : `field${plain}`;
    let suggested = start;
    for (let i = 2; taken.has(suggested); i += 1) suggested = `${start}${i}`;
    taken.add(suggested);
    this.problems.push(
      `${label}: ${reason}. Add to \`names\`: ${quoted(key, Infinity)}: ${quoted(suggested)}`,
    );
  }

  #typeOf(
    { label, key }: Named,
    fieldType: string,
  ): { readonly type: ValueType; readonly isList: boolean } {
    const ofTag = this.#use('types', this.#types, key);
    const ofType = this.#use('types', this.#types, fieldType);
    const text = ofTag ?? ofType ?? specifiedTypes.get(fieldType) ?? 'String';
    const [, item] = /^\[(.*)\]$/.exec(text) ?? [];
    const type = valueTypes.find((known) => known === (item ?? text));
    if (type !== undefined) return { type, isList: item !== undefined };
    this.problems.push(
      `${label}: the type ${quoted(text)} of \`types\` is none of ${valueTypes.join(', ')}`,
    );
    return { type: 'String', isList: false };
  }

  #use(
    option: 'names' | 'types',
    from: Readonly<Record<string, string>>,
    key: string,
  ): string | undefined {
    if (!Object.hasOwn(from, key)) return undefined;
    this.#used.add(`${option} ${key}`);
    return from[key];
  }
}

const quoted = (text: string, maxLength = 100): string =>
  `'${JSON.stringify(text.slice(0, maxLength))
    .slice(1, -1)
    .replaceAll("'", String.raw`\'`)
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`,
    )}'`;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function camelCase(text: string): string {
  const words = text.split(/[\s!-/:-@[-`{-~]+/).filter((word) => word !== '');
  const [first = '', ...others] = words;
  const start = first === first.toUpperCase() ? first.toLowerCase() : lowerFirst(first);
  return start + others.map(capitalized).join('');
}
