import type { TaskName } from '#engine/task-work.ts'

/** Where a file can be had, in the order in which they are tried. */
type Source =
  /** An address, redirects followed. */
  | { url: string }
  /** An npm package whose `resources.json` says of which pieces the file is made. */
  | { npm: string; resource: string }

/**
 * A file of a model. Without a known sha256 nobody can tell that the right one came, so that it is
 * not fetched unattended: operators look at what they were given, or bring their own file.
 */
export interface ModelFile {
  /** None: operators bring a file of their own. */
  sources: readonly Source[]
  /** Bytes, where they are known exactly. */
  size?: number
  sha256?: string
}

export interface ModelEntry {
  /** What operators type. */
  name: string
  title: string
  task: TaskName
  /** The id of its family; see `families/registry.ts`. */
  family: string
  /** By the parts that the family names. */
  files: Readonly<Record<string, ModelFile>>
  licence: {
    name: string
    /**
     * Our reading, in a plain word: `asks` shows the operator the remark before anything is taken.
     */
    commercial: 'yes' | 'asks'
    remark?: string
    /** Whether it obliges whoever passes the model on; `--accept-licence` has to be given. */
    copyleft?: true
  }
  /** What of `subjectMatte` it is good at, where that is not everything. */
  subjects?: readonly ('person' | 'thing')[]
  /**
   * It does what the engine cannot, or the bench has found it better than the engine's own way
   * (`npm run bench -- tasks`, which writes down what it finds on a machine).
   */
  better?: true
  /** Of the set that `npm run models -- add recommended` takes, for two to four cores. */
  recommended?: true
  /** As published, with where. */
  quality?: string
  time?: string
}

/** Bytes of all its files; 0 where they are not known. */
export function sizeOf({ files }: ModelEntry): number {
  const sizes = Object.values(files).map(({ size }) => size)
  return sizes.every((size) => size !== undefined) ? sizes.reduce((sum: number, size) => sum + (size ?? 0), 0) : 0
}

const hub = (repository: string, path: string, revision = 'main'): Source => ({
  url: `https://huggingface.co/${repository}/resolve/${revision}/${path}`,
})
const release = (repository: string, path: string): Source => ({
  url: `https://github.com/${repository}/releases/download/${path}`,
})
const rembg = (file: string) => release('danielgatis/rembg', `v0.0.0/${file}`)
const facefusion = (version: string, file: string) =>
  release('facefusion/facefusion-assets', `models-${version}/${file}`)
const opencvZoo = (folder: string, file: string): Source => ({
  url: `https://media.githubusercontent.com/media/opencv/opencv_zoo/main/models/${folder}/${file}`,
})

const apache = { name: 'Apache-2.0', commercial: 'yes' } as const
const mit = { name: 'MIT', commercial: 'yes' } as const

/**
 * The models that can be added by name; those whose licence forbids commercial use are not here.
 */
export const manifest: readonly ModelEntry[] = [
  {
    name: 'modnet',
    title: 'MODNet, portraits',
    task: 'subjectMatte',
    family: 'modnet',
    subjects: ['person'],
    files: {
      model: { sources: [hub('Xenova/modnet', 'onnx/model.onnx', '7aaa8a2'), facefusion('3.5.0', 'modnet.onnx')] },
    },
    licence: apache,
    quality: 'people only',
  },
  {
    name: 'modnet-video',
    title: 'MODNet, people in videos',
    task: 'videoMatte',
    family: 'modnet-video',
    files: {
      model: { sources: [hub('Xenova/modnet', 'onnx/model.onnx', '7aaa8a2'), facefusion('3.5.0', 'modnet.onnx')] },
    },
    licence: apache,
    quality: 'people only',
  },
  {
    name: 'birefnet-lite',
    title: 'BiRefNet lite, 1024 pixels',
    task: 'subjectMatte',
    family: 'birefnet',
    files: {
      model: {
        sources: [
          hub('onnx-community/BiRefNet_lite-ONNX', 'onnx/model.onnx'),
          rembg('BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx'),
        ],
      },
    },
    licence: mit,
    quality: 'DIS-VD: S 0.882, weighted F 0.830 (its authors)',
    time: '6 s a picture (BiRefNet#259, processor not named)',
  },
  {
    name: 'birefnet-lite-512',
    title: 'BiRefNet lite, 512 pixels',
    task: 'subjectMatte',
    family: 'birefnet',
    files: { model: { sources: [hub('shozebDev/birefnet-lite-512-onnx', 'onnx/model.onnx')] } },
    licence: mit,
    recommended: true,
  },
  {
    name: 'birefnet-general',
    title: 'BiRefNet, large',
    task: 'subjectMatte',
    family: 'birefnet',
    files: {
      model: { sources: [rembg('BiRefNet-general-epoch_244.onnx')], size: 972_666_916 },
    },
    licence: mit,
    quality: 'DIS-VD: S 0.911, weighted F 0.875 (its authors)',
    time: 'for graphics processors; 4 to 5 GB of memory',
  },
  {
    name: 'isnet',
    title: 'IS-Net',
    task: 'subjectMatte',
    family: 'isnet',
    subjects: ['thing'],
    files: { model: { sources: [rembg('isnet-general-use.onnx')] } },
    licence: apache,
    time: 'about 1 s a picture (a blog, machine not named)',
  },
  {
    name: 'isnet-imgly',
    title: 'IS-Net as IMG.LY trained it',
    task: 'subjectMatte',
    family: 'isnet-imgly',
    better: true,
    files: {
      model: {
        sources: [{ npm: '@imgly/background-removal-data@1.4.5', resource: '/models/medium' }],
        size: 88_188_479,
        sha256: 'b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb',
      },
    },
    licence: {
      name: 'AGPL-3.0',
      commercial: 'asks',
      remark: 'Whoever offers it as a service owes its users the source.',
      copyleft: true,
    },
    quality: 'IoU 0.997 on composites of portraits, 0.998 on a cup (our bench; the engine itself 0.983 and 0.975)',
  },
  {
    name: 'ormbg',
    title: 'ormbg, people',
    task: 'subjectMatte',
    family: 'ormbg',
    subjects: ['person'],
    files: { model: { sources: [facefusion('3.5.0', 'ormbg.onnx')] } },
    licence: apache,
  },
  {
    name: 'u2net',
    title: 'U²-Net',
    task: 'subjectMatte',
    family: 'u2net',
    subjects: ['thing'],
    files: { model: { sources: [rembg('u2net.onnx')] } },
    licence: apache,
  },
  {
    name: 'u2netp',
    title: 'U²-Net, small',
    task: 'subjectMatte',
    family: 'u2net',
    subjects: ['thing'],
    files: { model: { sources: [rembg('u2netp.onnx')] } },
    licence: apache,
  },
  {
    name: 'silueta',
    title: 'silueta (U²-Net, reduced)',
    task: 'subjectMatte',
    family: 'u2net',
    subjects: ['thing'],
    files: { model: { sources: [rembg('silueta.onnx')] } },
    licence: apache,
  },
  {
    name: 'ben2',
    title: 'BEN2 base',
    task: 'subjectMatte',
    family: 'ben2',
    files: { model: { sources: [hub('PramaLLC/BEN2', 'BEN2_Base.onnx'), facefusion('3.5.0', 'ben_2.onnx')] } },
    licence: mit,
    time: 'slow on processors',
  },
  {
    name: 'slimsam',
    title: 'SlimSAM, what is tapped',
    task: 'selectObject',
    family: 'slim-sam',
    better: true,
    files: {
      encoder: { sources: [hub('Xenova/slimsam-77-uniform', 'onnx/vision_encoder.onnx')] },
      decoder: { sources: [hub('Xenova/slimsam-77-uniform', 'onnx/prompt_encoder_mask_decoder.onnx')] },
    },
    licence: { ...apache, commercial: 'asks', remark: 'The licence of the weights was not found beside the files.' },
    recommended: true,
  },
  {
    name: 'efficientsam',
    title: 'EfficientSAM, what is tapped',
    task: 'selectObject',
    family: 'efficient-sam',
    better: true,
    files: {
      model: {
        sources: [opencvZoo('image_segmentation_efficientsam', 'image_segmentation_efficientsam_ti_2025april.onnx')],
        size: 48_312_857,
        sha256: '4eb496e0a7259d435b49b66faf1754aa45a5c382a34558ddda9a8c6fe5915d77',
      },
    },
    licence: apache,
  },
  {
    name: 'migan',
    title: 'MI-GAN, 512 pixels',
    task: 'inpaint',
    family: 'migan',
    files: {
      model: {
        sources: [hub('andraniksargsyan/migan', 'migan_pipeline_v2.onnx', '406830d0fa60666da0071c342ad2fbc8f30c5c64')],
        sha256: '6f1f3530a1a2324b19752018ce756088b07973cda8d7d890034ace5c8a48c40b',
      },
    },
    licence: { ...mit, commercial: 'asks', remark: 'Trained on Places2, whose pictures have terms for research.' },
    recommended: true,
    quality: 'ICCV 2023',
  },
  {
    name: 'lama',
    title: 'LaMa, large',
    task: 'inpaint',
    family: 'lama',
    files: {
      model: { sources: [hub('Carve/LaMa-ONNX', 'lama_fp32.onnx', 'c3c0c9e468934d62e79c329e35d82dd09ff8c444')] },
    },
    licence: { ...apache, commercial: 'asks', remark: 'Trained on Places2, whose pictures have terms for research.' },
  },
  {
    name: 'lama-int8',
    title: 'LaMa, 8 bits',
    task: 'inpaint',
    family: 'lama',
    files: {
      model: {
        sources: [
          hub('opencv/inpainting_lama', 'inpainting_lama_2025jan.onnx', 'aee6d22f'),
          opencvZoo('inpainting_lama', 'inpainting_lama_2025jan.onnx'),
        ],
        size: 92_591_623,
        sha256: '7df918ac3921d3daf0aae1d219776cf0dc4e4935f035af81841b40adcf74fdf2',
      },
    },
    licence: { ...apache, commercial: 'asks', remark: 'Trained on Places2, whose pictures have terms for research.' },
  },
  {
    name: 'realesr-general',
    title: 'Real-ESRGAN general, small, with less or more noise',
    task: 'upscale',
    family: 'realesr-general',
    files: {
      model: { sources: [release('ketaevweb/ai-video-enhancer', 'models-v1/realesr-general-x4v3.onnx')] },
      wdn: { sources: [release('ketaevweb/ai-video-enhancer', 'models-v1/realesr-general-wdn-x4v3.onnx')] },
    },
    licence: {
      name: 'BSD-3-Clause',
      commercial: 'asks',
      remark: 'The authors never said whether the licence of the code covers the weights.',
    },
    recommended: true,
    time: '4 s for 512 × 512 pixels on two cores',
  },
  {
    name: 'esrgan',
    title: 'A network of your own that enlarges: one file, colours of 0 to 1',
    task: 'upscale',
    family: 'esrgan',
    files: { model: { sources: [] } },
    licence: { name: 'your own', commercial: 'asks', remark: 'Whatever comes with the file.' },
  },
  {
    name: 'restoreformer',
    title: 'RestoreFormer++, faces',
    task: 'restoreFaces',
    family: 'face-restoration',
    files: { model: { sources: [facefusion('3.0.0', 'restoreformer_plus_plus.onnx')] } },
    licence: { ...apache, commercial: 'asks', remark: 'Trained on FFHQ, whose pictures have terms of their own.' },
    recommended: true,
  },
  {
    name: 'ddcolor-tiny',
    title: 'DDColor tiny, 8 bits',
    task: 'colorize',
    family: 'ddcolor',
    files: {
      model: {
        sources: [hub('toolsmonk/ddcolor-tiny', 'ddcolor_tiny_512_int8.onnx')],
        size: 112_723_138,
        sha256: 'e983347272b8e218edc974a0af2bd66f53b73212abb800e103c64806e4c14a14',
      },
    },
    licence: apache,
    recommended: true,
    quality: 'about 1.1 units of a and b beside the one of 32 bits',
  },
  {
    name: 'face-parsing',
    title: 'BiSeNet, parts of faces',
    task: 'parseFace',
    family: 'bisenet',
    better: true,
    files: { model: { sources: [release('yakhyo/face-parsing', 'v0.0.1/resnet18.onnx')] } },
    licence: { ...mit, commercial: 'asks', remark: 'Trained on CelebAMask-HQ, whose pictures are not for commerce.' },
  },
  {
    name: 'rvm',
    title: 'Robust Video Matting, people in videos',
    task: 'videoMatte',
    family: 'robust-video-matting',
    files: {
      model: { sources: [release('PeterL1n/RobustVideoMatting', 'v1.0.0/rvm_mobilenetv3_fp32.onnx')] },
    },
    licence: { name: 'GPL-3.0', commercial: 'asks', remark: 'Whoever passes it on owes the source.', copyleft: true },
  },
  {
    name: 'depth-anything',
    title: 'Depth Anything V2, small',
    task: 'depth',
    family: 'depth-anything',
    better: true,
    files: { model: { sources: [hub('onnx-community/depth-anything-v2-small', 'onnx/model.onnx')] } },
    licence: apache,
    recommended: true,
  },
  {
    name: 'nsfw-marqo',
    title: 'Marqo’s classifier of unsafe pictures',
    task: 'safety',
    family: 'nsfw-marqo',
    better: true,
    files: { model: { sources: [facefusion('3.3.0', 'nsfw_2.onnx')] } },
    licence: apache,
    recommended: true,
  },
  {
    name: 'nsfw-freepik',
    title: 'Freepik’s classifier of unsafe pictures',
    task: 'safety',
    family: 'nsfw-freepik',
    better: true,
    files: { model: { sources: [facefusion('3.3.0', 'nsfw_3.onnx')] } },
    licence: mit,
  },
]
