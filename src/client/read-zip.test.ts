import { deflateRawSync } from 'node:zlib'
import { downloadZip } from 'client-zip'
import { expect, test } from 'vitest'
import { readZip } from './read-zip.ts'

const zipOf = (files: Record<string, string>) =>
  downloadZip(Object.entries(files).map(([name, input]) => ({ name, input }))).blob()

test('files of a ZIP are read by their names', async () => {
  const read = await readZip(await zipOf({ 'a.json': '{}', '1/foto é.jpg': 'bytes' }))
  expect(await (await read('a.json'))?.text()).toBe('{}')
  expect(await (await read('1/foto é.jpg'))?.text()).toBe('bytes')
  expect(await read('b.json')).toBeNull()
})

/** A ZIP of one deflated file, as other programs write it, which claims a size. */
function deflated(content: string, claimed = content.length): Blob {
  const data = deflateRawSync(content)
  const [local, entry, end] = [Buffer.alloc(30), Buffer.alloc(46), Buffer.alloc(22)]
  local.writeUInt16LE(1, 26)
  entry.writeUInt32LE(0x02014b50)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt32LE(claimed, 24)
  entry.writeUInt16LE(1, 28)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(47, 12)
  end.writeUInt32LE(31 + data.length, 16)
  return new Blob([local, 'a', data, entry, 'a', end])
}

test('a ZIP that another program has compressed is read, and one that claims another size is not', async () => {
  const text = 'again and again '.repeat(1000)
  expect(await (await (await readZip(deflated(text)))('a'))?.text()).toBe(text)
  expect(await (await readZip(deflated(text, 100)))('a')).toBeNull()
})

test('a damaged ZIP is refused', async () => {
  const whole = await zipOf({ a: 'b' })
  for (const broken of [new Blob(['no zip']), new Blob(), whole.slice(0, -10), whole.slice(20)]) {
    await expect(readZip(broken).then((read) => read('a'))).rejects.toThrow()
  }
})
