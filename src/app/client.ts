import { hc } from 'hono/client'
import { type Api, apiFetch } from './api.ts'

/** The typed client: paths, inputs and answers as the server's routes declare them; errors as apiFetch throws them. */
export const { api: client } = hc<Api>('/', {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => apiFetch(String(input), init),
})
