import { ref } from './components.ts'
import { allowsNull, type NamedSchema, type SchemaNames } from './schema-names.ts'

/** A recursive schema of TypeBox: `$defs` whose members refer to each other by `$id`. */
interface Recursive {
  $ref: string
  $defs: Record<string, Record<string, unknown>>
}

const isRecursive = (node: object): node is Recursive => '$defs' in node && '$ref' in node

type Members = Record<string, unknown>

/**
 * Copies a description and moves its named and its recursive schemas to components, beside the given ones. Client
 * generators name types after components, and do not resolve a `$ref` to an `$id`. Throws if two different schemas have
 * the same name.
 */
export function hoistSchemas<T>(
  description: T,
  names: SchemaNames,
  components: Record<string, object> = {},
): { hoisted: T; schemas: Record<string, unknown> } {
  const hoister = new SchemaHoister(names)
  for (const [name, schema] of Object.entries(components)) hoister.add(name, schema)
  return { hoisted: hoister.copy(description) as T, schemas: hoister.schemas }
}

class SchemaHoister {
  readonly #names: SchemaNames
  readonly #schemas: Record<string, unknown> = {}

  constructor(names: SchemaNames) {
    this.#names = names
  }

  /** The components, sorted by name. */
  get schemas(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this.#schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  add(name: string, schema: object): void {
    this.#put(name, this.#copyMembers(schema, []))
  }

  /** Copies a node. `memberNames` are the names of the members of the recursive schema around it. */
  copy(node: unknown, memberNames: readonly string[] = []): unknown {
    if (Array.isArray(node)) return node.map((item) => this.copy(item, memberNames))
    if (node === null || typeof node !== 'object') return node
    if (isRecursive(node)) return this.#hoistRecursive(node)
    if ('$ref' in node && memberNames.includes(String(node.$ref))) return ref(String(node.$ref))
    const named = this.#names.find(node)
    return named ? this.#hoistNamed(node, named, memberNames) : this.#copyMembers(node, memberNames)
  }

  #copyMembers(node: object, memberNames: readonly string[]): Members {
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, this.copy(value, memberNames)]),
    )
  }

  #hoistRecursive({ $ref, $defs }: Recursive): object {
    for (const [name, { $id: _, ...schema }] of Object.entries($defs))
      this.#put(name, this.#copyMembers(schema, Object.keys($defs)))
    return ref($ref)
  }

  #hoistNamed(
    node: { type?: unknown; description?: unknown },
    { name, schema }: NamedSchema,
    memberNames: readonly string[],
  ): object {
    const { title: _, ...members } = this.#copyMembers(schema, memberNames)
    this.#put(name, allowsNull(members) ? { ...members, type: 'object' } : members)
    const described =
      node.description && node.description !== members.description ? { description: node.description } : {}
    return allowsNull(node)
      ? { anyOf: [ref(name), { type: 'null' }], ...described }
      : { ...ref(name), ...described }
  }

  #put(name: string, schema: unknown): void {
    const present = this.#schemas[name]
    if (present && JSON.stringify(present) !== JSON.stringify(schema))
      throw new Error(`Two schemas are named ${name}. Rename one of them.`)
    this.#schemas[name] = schema
  }
}
