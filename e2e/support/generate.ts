import type { GenerationCreated } from '#features/generations/schemas.ts'
import type { RunningServer } from './server.ts'

export async function generate(
  server: Pick<RunningServer, 'origin'>,
  token: string,
  picture: Buffer,
  { tool = 'background-removal', name = 'foto.jpg' } = {},
): Promise<GenerationCreated> {
  const body = new FormData()
  body.set('tool', tool)
  body.set('image', new Blob([new Uint8Array(picture)]), name)
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() }
  const response = await fetch(`${server.origin}/api/generations`, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(await response.text())
  return (await response.json()) as GenerationCreated
}
