// The OpenAPI 3.1 document of this server, as far as the pages read it.

export type Schema = {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping?: Readonly<Record<string, string>>;
  };
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};
export type Media = { readonly schema?: Schema; readonly example?: unknown };
export type Content = Readonly<Record<string, Media>>;
export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
};
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
};
export type OpenApi = {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
export type Schemas = OpenApi["components"]["schemas"];

const COMPONENT = "#/components/schemas/";

/** The name of the component that a schema stands for, or null. */
export function componentOf(schema: Schema): string | null {
  return schema.$ref?.startsWith(COMPONENT) ? schema.$ref.slice(COMPONENT.length) : null;
}

/** The schema itself, where it stands for a component. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = componentOf(schema);
  return name === null ? schema : (schemas[name] ?? {});
}

/** What a schema may be, one by one, without null; itself alone where there is no choice. */
export function optionsOf(schema: Schema): readonly Schema[] {
  const options = schema.oneOf ?? schema.anyOf;
  return options?.filter((one) => one.type !== "null") ?? [schema];
}

export function mayBeNull(schema: Schema): boolean {
  return (schema.oneOf ?? schema.anyOf)?.some((one) => one.type === "null") ?? false;
}
