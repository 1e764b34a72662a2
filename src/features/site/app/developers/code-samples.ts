export const sampleLanguages = ['curl', 'JavaScript', 'Python', 'PHP'] as const
export type SampleLanguage = (typeof sampleLanguages)[number]

/** Programs that cut out a photo; the key is in the variable RUPA_KEY. */
export function firstCutOut(origin: string): Record<SampleLanguage, string> {
  return {
    curl: `curl ${origin}/api/v1/generations \\
  -H "Authorization: Bearer $RUPA_KEY" \\
  -H "Idempotency-Key: photo-1" \\
  -H "Prefer: wait=30" \\
  -F tool=background-removal \\
  -F image=@photo.jpg

# outputs[0].id of the answer:
curl ${origin}/api/v1/files/OUTPUT_ID \\
  -H "Authorization: Bearer $RUPA_KEY" -o cut-out.png`,
    JavaScript: `import { readFile, writeFile } from 'node:fs/promises'

const headers = { authorization: \`Bearer \${process.env.RUPA_KEY}\` }
const form = new FormData()
form.set('tool', 'background-removal')
form.set('image', new Blob([await readFile('photo.jpg')]), 'photo.jpg')

const answer = await fetch('${origin}/api/v1/generations', {
  method: 'POST',
  headers: { ...headers, 'idempotency-key': crypto.randomUUID(), prefer: 'wait=30' },
  body: form,
})
const { status, error, outputs, msg } = await answer.json()
if (status !== 'succeeded') throw new Error(msg ?? error?.msg ?? status)

const file = await fetch(\`${origin}/api/v1/files/\${outputs[0].id}\`, { headers })
await writeFile('cut-out.png', Buffer.from(await file.arrayBuffer()))`,
    Python: `import os, uuid, requests

headers = {"Authorization": f"Bearer {os.environ['RUPA_KEY']}"}
answer = requests.post(
    "${origin}/api/v1/generations",
    headers={**headers, "Idempotency-Key": str(uuid.uuid4()), "Prefer": "wait=30"},
    data={"tool": "background-removal"},
    files={"image": open("photo.jpg", "rb")},
)
result = answer.json()
if result.get("status") != "succeeded":
    raise SystemExit(result)

file = requests.get(f"${origin}/api/v1/files/{result['outputs'][0]['id']}", headers=headers)
open("cut-out.png", "wb").write(file.content)`,
    PHP: `<?php
$key = 'Authorization: Bearer ' . getenv('RUPA_KEY');
$call = curl_init('${origin}/api/v1/generations');
curl_setopt_array($call, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [$key, 'Idempotency-Key: ' . uniqid('', true), 'Prefer: wait=30'],
    CURLOPT_POSTFIELDS => ['tool' => 'background-removal', 'image' => new CURLFile('photo.jpg')],
]);
$result = json_decode(curl_exec($call), true);
if (($result['status'] ?? '') !== 'succeeded') exit(json_encode($result));

$file = curl_init('${origin}/api/v1/files/' . $result['outputs'][0]['id']);
curl_setopt_array($file, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => [$key]]);
file_put_contents('cut-out.png', curl_exec($file));`,
  }
}

export const fromAddress = (origin: string) => `curl ${origin}/api/v1/generations \\
  -H "Authorization: Bearer $RUPA_KEY" \\
  -H "Idempotency-Key: photo-2" \\
  -H "Content-Type: application/json" \\
  -d '{"tool": "background-removal",
       "params": {"background": {"type": "color", "color": "#ffffff"}, "format": "jpeg"},
       "inputs": {"picture": [{"url": "https://example.com/photo.jpg"}]}}'`

export const likeRemoveBg = (origin: string) => `curl ${origin}/v1.0/removebg \\
  -H "X-Api-Key: $RUPA_KEY" \\
  -F image_file=@photo.jpg -F size=auto -o cut-out.png`

/**
 * A handler for servers with the Request and Response of the web; the same library exists for
 * Python, PHP, Go and others.
 */
export const webhookReceiver = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.RUPA_WEBHOOK_SECRET)

export async function POST(request) {
  const body = await request.text()
  try {
    const { type, data } = webhook.verify(body, Object.fromEntries(request.headers))
    console.log(type, data.id)
    return new Response(null, { status: 204 })
  } catch {
    return new Response(null, { status: 400 })
  }
}`

/** A generator that reads the OpenAPI document; the tests run it and use its client. */
export const typedClient = (origin: string) => `npm install @oazapfts/runtime
npx oazapfts ${origin}/api/v1/openapi.json rupa.ts`

/** Settings in the form that most assistants read. */
export const assistantSettings = (origin: string) =>
  JSON.stringify(
    {
      mcpServers: {
        rupa: { type: 'http', url: `${origin}/api/v1/mcp`, headers: { Authorization: 'Bearer rupa_live_…' } },
      },
    },
    null,
    2,
  )
