import type { type as Types } from 'arktype'
import { type GenerateSpecOptions, generateSpecs } from 'hono-openapi'
import { brandName } from '#shared/brand.ts'
import { errorSchema, type registerRoutes } from './route.ts'
import { toJsonSchema } from './validate.ts'

/** Views that occur in several answers, by their names in the documents. */
export type NamedSchemas = Record<string, Types.Any>

type Node = Record<string, unknown>
type Routes = ReturnType<typeof registerRoutes>

/** The OpenAPI documents by their paths; each is made once, when a client first requests it. */
export function apiDocuments(
  { app, forPrograms, schemas }: { app: Routes; forPrograms: Routes; schemas: NamedSchemas },
  publicUrl: URL,
): Record<string, () => Promise<object>> {
  const base = {
    info: {
      title: `${brandName} API`,
      version: '1',
      description: 'Errors are `{code, msg, details?}`; `code` is stable.',
    },
    servers: [{ url: publicUrl.origin }],
  }
  const session = {
    ...base,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { bearer: { type: 'http' as const, scheme: 'bearer', bearerFormat: 'JWT' } },
    },
    security: [{ bearer: [] }],
  }
  const key = {
    ...base,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        key: { type: 'http' as const, scheme: 'bearer', description: 'An API key, such as rupa_live_…' },
        keyHeader: { type: 'apiKey' as const, in: 'header' as const, name: 'X-Api-Key' },
      },
    },
    security: [{ key: [] }, { keyHeader: [] }] as Record<string, string[]>[],
  }
  const once = (routes: Routes, options: Partial<GenerateSpecOptions>) => {
    let made: Promise<object> | undefined
    return () => {
      made ??= generateSpecs(routes, { excludeStaticFile: false, ...options }).then((document) =>
        shareSchemas(document, schemas),
      )
      return made
    }
  }
  return {
    '/api/openapi.json': once(app, { documentation: session, exclude: [/^\/api\/admin\//] }),
    '/api/admin/openapi.json': once(app, { documentation: session, exclude: [/^\/api\/(?!admin\/)/] }),
    '/api/v1/openapi.json': once(forPrograms, { documentation: key }),
  }
}

/**
 * Moves the named schemas, and those with a title, to the components, so that a generated client
 * has one type for each. Names that no route uses are left out.
 */
function shareSchemas(document: object, named: NamedSchemas): object {
  const names = new Map(
    Object.entries(named).map(([name, schema]) => [keyOf(toJsonSchema(schema) as Node), name] as const),
  )
  const shared: Record<string, unknown> = {}
  function share(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(share)
    if (typeof value !== 'object' || value === null) return value
    const node = value as Node
    const parts = () => Object.fromEntries(Object.entries(node).map(([key, part]) => [key, share(part)]))
    const isSchema = 'type' in node || 'anyOf' in node || 'oneOf' in node
    const title = isSchema && typeof node.title === 'string' ? pascalCase(node.title) : undefined
    const name = title ?? (isSchema ? names.get(keyOf(node)) : undefined)
    if (!name) return parts()
    shared[name] ??= parts()
    return { $ref: `#/components/schemas/${name}` }
  }
  const { paths, components, ...rest } = document as { paths: Node; components: { schemas: Node } }
  const sharedPaths = share(paths)
  return { ...rest, paths: sharedPaths, components: { ...components, schemas: { ...components.schemas, ...shared } } }
}

/** A description may differ from place to place. */
const keyOf = ({ description: _, ...schema }: Node): string => JSON.stringify(schema)

const pascalCase = (text: string) => text.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
