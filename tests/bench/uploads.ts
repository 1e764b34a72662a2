// Server memory while 20 users upload 8 pictures of 25 MB each.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { Upload } from 'tus-js-client'
import { startServerProcess } from '../support/server-process.ts'

const people = Number(process.env.PEOPLE ?? 20)
const picturesEach = 8
const side = 2940
const password = 'Rahasia123!'
const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const server = await startServerProcess({ DATA_DIR: dataDir })
const megabytes = (name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024

async function must(response: Response): Promise<Response> {
  if (!response.ok && response.status !== 302) throw new Error(`${response.status} ${await response.text()}`)
  return response
}
const post = (path: string, body: object) =>
  fetch(server.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }).then(must)

/** Without SMTP each mail is a file named after its recipient. */
async function linkFor(email: string): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  for (;;) {
    const name = existsSync(outbox) && readdirSync(outbox).find((file) => file.endsWith(`${email}.eml`))
    const link = name && /http:\/\/localhost\S+?(?=[\s"<])/.exec(readFileSync(join(outbox, name), 'utf8'))?.[0]
    if (link) return new URL(link).pathname
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function signUp(index: number): Promise<string> {
  const email = `orang${index}@contoh.id`
  await post('/api/register', { name: 'Sari', email, password, agreeToTerms: true, birthYear: 1990 })
  await fetch(server.url + (await linkFor(email)), { redirect: 'manual' })
  const response = await post('/api/login', { email, password, remember: false })
  return ((await response.json()) as { access_token: string }).access_token
}

function upload(token: string, picture: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    new Upload(picture, {
      endpoint: `${server.url}/api/uploads`,
      headers: { authorization: `Bearer ${token}` },
      retryDelays: Array(10).fill(1000),
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
}

try {
  const noise = { width: side, height: side, channels: 3 } as const
  const picture = await sharp(randomBytes(side * side * 3), { raw: noise })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const tokens: string[] = []
  for (let index = 0; index < people; index += 1) tokens.push(await signUp(index))
  await upload(tokens[0] as string, picture)
  const before = megabytes('VmRSS')
  let highest = 0
  const watch = setInterval(() => {
    highest = Math.max(highest, megabytes('VmRSS'))
  }, 100)
  const begun = performance.now()
  await Promise.all(tokens.flatMap((token) => Array.from({ length: picturesEach }, () => upload(token, picture))))
  clearInterval(watch)
  const count = people * picturesEach
  const size = (picture.length / 1024 / 1024).toFixed(1)
  console.log(`${count} × ${size} MB at once in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  console.log(
    `memory: ${before.toFixed(0)} MB before, ${highest.toFixed(0)} MB at most: ${(highest - before).toFixed(0)} MB more (aim < 200)`,
  )
} finally {
  await server.end()
  process.stderr.write(server.stderr())
  rmSync(dataDir, { recursive: true, force: true })
}
