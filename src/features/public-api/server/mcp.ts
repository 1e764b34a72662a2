import { randomUUID } from 'node:crypto'
import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { credits } from '#features/credits/server/credits.ts'
import { generations } from '#features/generations/server/generations.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { jsonMaxBytes } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import { brandName } from '#shared/brand.ts'
import { type } from '#shared/schema.ts'
import { startItem } from './start-item.ts'

type Caller = Pick<UserEnv['Variables'], 'user' | 'sessionId' | 'language' | 'apiKey'>

/** Assistants wait for a call about a minute. */
const waitSeconds = 45

const runInput = type({
  tool: type('string').describe('id of a tool, from list_tools'),
  inputs: type({ '[string]': 'string[]' }).describe('public addresses of the pictures, by name of the input'),
  'params?': type('object').describe('options of the tool; their schema comes from list_tools with its id'),
  'key?': type('string <= 100').describe('any text; the same key never charges twice'),
})

/**
 * The Model Context Protocol over streamable HTTP, without sessions: each request carries the API
 * key and is served by a server object of its own.
 */
export async function serveMcp(deps: Deps, { req, var: caller }: Context<UserEnv>): Promise<Response> {
  const server = createMcpHandler(() => mcpServer(deps, caller, req.raw.signal), {
    maxRequestBodySize: jsonMaxBytes,
    onerror: (error) => deps.log.warn({ err: error }, 'an MCP request failed'),
  })
  return await server.fetch(req.raw)
}

function mcpServer(deps: Deps, caller: Caller, signal: AbortSignal): McpServer {
  const server = new McpServer({ name: brandName.toLowerCase(), version: '1' })
  const answer = (read: () => Promise<object>) => asResult(caller, read)

  server.registerTool(
    'list_tools',
    {
      description: 'List the photo tools with their inputs and prices in credits; with an id, the options of that tool',
      inputSchema: type({ 'tool?': 'string' }),
      annotations: { readOnlyHint: true },
    },
    ({ tool }) =>
      answer(async () => {
        const items = await generations.listTools(deps, tool === undefined ? { schemas: 'none' } : {})
        return { tools: items.filter(({ id, enabled }) => enabled && (tool === undefined || id === tool)) }
      }),
  )
  server.registerTool(
    'run_tool',
    {
      description: 'Run a tool on pictures; costs credits. Returns links to the files, or status queued or running.',
      inputSchema: runInput,
      annotations: { destructiveHint: false, openWorldHint: true },
    },
    ({ tool, inputs, params = {}, key = randomUUID() }) =>
      answer(async () => {
        const refs = Object.entries(inputs).map(([name, urls]) => [name, urls.map((url) => ({ url }))])
        const item = { tool, params, inputs: Object.fromEntries(refs) }
        const started = await startItem(deps, caller, { key: `mcp/${key}`, item })
        return await viewOf(deps, caller, await generations.awaitEnd(deps, started, waitSeconds, signal))
      }),
  )
  server.registerTool(
    'get_result',
    {
      description: 'Get a generation by its id, waiting until it has ended',
      inputSchema: type({ id: 'string' }),
      annotations: { readOnlyHint: true },
    },
    ({ id }) =>
      answer(async () => {
        const found = await generations.find(deps.db, caller.user.id, id)
        return await viewOf(deps, caller, await generations.awaitEnd(deps, found, waitSeconds, signal))
      }),
  )
  server.registerTool(
    'get_credits',
    { description: 'Get the credits left', inputSchema: type({}), annotations: { readOnlyHint: true } },
    () =>
      answer(async () => {
        const { credits: left } = await credits.balance(deps.db, caller.user.id, deps.clock())
        return { credits: left }
      }),
  )
  return server
}

/** Addresses of files are absolute: an assistant knows no server that they could belong to. */
async function viewOf(deps: Deps, caller: Caller, generation: Parameters<typeof generations.view>[2]) {
  const { id, status, credits, error, outputs, expiresAt } = await generations.view(deps, deps.db, generation, caller)
  const files = outputs.map(({ url, name, contentType, width, height }) => {
    return { url: new URL(url, deps.config.publicUrl).href, name, contentType, width, height }
  })
  return { id, status, credits, error, files, expiresAt }
}

async function asResult({ language }: Caller, read: () => Promise<object>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await read()) }] }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { code, details } = error
    const refusal = { code, msg: translate(language, `error.${code}`), ...(details && { details }) }
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }] }
  }
}
