import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A new, empty database on the server at TEST_DATABASE_URL. */
export async function createFreshPostgres(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `rupa_test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
