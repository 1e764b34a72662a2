/** Documents of the app, of its staff, and of programs with an API key. */
const documents = ['/api/openapi.json', '/api/admin/openapi.json', '/api/v1/openapi.json']

interface Document {
  paths: object
  components: { schemas: Record<string, unknown> }
}

/** Joins the paths of all documents, with shared schemas in place of the references to them. */
export async function readApiDocument<Operation = unknown>(
  read: (path: string) => Response | Promise<Response>,
): Promise<{ paths: Record<string, Record<string, Operation>> }> {
  const found = documents.map(async (path) => {
    const { paths, components } = (await (await read(path)).json()) as Document
    return withoutReferences(paths, components.schemas) as object
  })
  return { paths: Object.assign({}, ...(await Promise.all(found))) }
}

function withoutReferences(value: unknown, schemas: Document['components']['schemas']): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutReferences(part, schemas))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return withoutReferences(schemas[String(value.$ref).split('/').at(-1) ?? ''], schemas)
  const parts = Object.entries(value).map(([key, part]) => [key, withoutReferences(part, schemas)])
  return Object.fromEntries(parts)
}
