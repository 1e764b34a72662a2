/** Documents of the app, of its staff, and of programs with an API key. */
const documents = ['/api/openapi.json', '/api/admin/openapi.json', '/api/v1/openapi.json']

/** Joins the paths of all documents. */
export async function readApiDocument<Operation = unknown>(
  read: (path: string) => Response | Promise<Response>,
): Promise<{ paths: Record<string, Record<string, Operation>> }> {
  const found = await Promise.all(documents.map(async (path) => (await (await read(path)).json()) as { paths: object }))
  return { paths: Object.assign({}, ...found.map(({ paths }) => paths)) }
}
