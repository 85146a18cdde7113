import { after, nameOf, reads, runsShell, writes } from './arg-parts.js'
import type { Arg, Call, Effect, Family, Grammar } from './knowledge.js'

/** `ffmpeg -i IN … OUT`: inputs follow `-i`, everything else without a dash that is not a value is written. */
function ffmpegEffects({ argv }: Call): readonly Effect[] {
  const effects: Effect[] = []
  const output = argv.length > 2 ? argv.at(-1) : undefined
  argv.forEach((arg, i) => {
    const value = argv[i + 1]
    if (arg.head === '-i' && value)
      effects.push(/^[a-z]+:\/\//.test(value.head) ? { does: 'connect', host: value, how: 'url' } : reads(value))
  })
  if (output && !output.head.startsWith('-') && argv.at(-2)?.head !== '-i')
    effects.push(/^[a-z]+:\/\//.test(output.head) ? { does: 'connect', host: output, how: 'url' } : writes(output))
  return effects
}

/** ImageMagick: operands are files, the last one is written; some names are commands (`ephemeral:`, `|cmd`) or scripts (`msl:`). */
function magickEffects(call: Call): readonly Effect[] {
  const name = nameOf(call)
  const words = call.argv.slice(1)
  const files = words.filter((arg) => !/^[-+(]/.test(arg.head))
  const last = words.at(-1)
  const effects = words.flatMap((arg): readonly Effect[] => {
    const piped = after(arg, '|')
    if (piped) return [runsShell(piped, `${name} |`)]
    return /^(?:msl|mvg|@|ephemeral|inline|url|https?|epi|eps|ps|pdf):?/i.test(arg.head) && arg.head.includes(':')
      ? [{ does: 'foreign', reason: 'an image format that runs or fetches something', at: arg.span }]
      : []
  })
  const placed = files.filter((arg) => /[./]/.test(arg.head) && !/^[\d.x%+!<>^@]+$/.test(arg.head))
  const written = (arg: Arg): boolean =>
    name === 'mogrify' || (arg === last && !/^(?:identify|compare|display)$/.test(name))
  return [...effects, ...placed.map((arg) => (written(arg) ? writes(arg) : reads(arg)))]
}

const PLAYS: Grammar = { rest: 'read', unlisted: 'ignore' }
const TEX: Grammar = {
  values: {
    '-output-directory -output-dir -outdir --output-directory': 'write-tree',
    '-jobname -interaction -fmt -progname -cnf-line -usepackage -e': 'text',
    '-r -pdflatex -latex -xelatex -lualatex -bibtex': 'code',
  },
  singleDash: true,
  rest: 'code-file',
  foreign: 'a TeX document, which can write files and run commands',
  unlisted: 'ignore',
}

/** Programs for pictures, sound, film and documents. */
export const mediaAndDocuments: Family = [
  { names: 'ffmpeg avconv', unlisted: 'ignore', hook: ffmpegEffects },
  {
    names:
      'ffprobe ffplay mediainfo exiv2 sox soxi play rec mpv mplayer vlc cvlc mpg123 mpg321 ogg123 aplay arecord paplay timidity fluidsynth cmus mpc mpd mocp ncmpcpp',
    ...PLAYS,
    values: { '--script --scripts --lua': 'code-file', '-o --output': 'write' },
  },
  {
    names: 'convert magick mogrify identify composite montage compare import animate display stream conjure gm',
    unlisted: 'ignore',
    hook: magickEffects,
  },
  {
    names: 'exiftool',
    values: {
      '-config': 'code-file',
      '-if -p -api': 'code',
      '-o': 'write',
      '-@': 'read',
      '-tagsfromfile -TagsFromFile': 'read',
    },
    singleDash: true,
    rest: 'update',
    unlisted: 'ignore',
  },
  {
    names: 'pandoc',
    flags:
      '-s --standalone --toc --table-of-contents -N --number-sections --self-contained --embed-resources --citeproc --mathjax --katex -h --help -v --version --verbose --quiet --fail-if-warnings --list-input-formats --list-output-formats --sandbox -i --incremental -C --file-scope --trace',
    values: {
      '-f --from -r --read -t --to -w --write': 'text',
      '-F --filter': 'program',
      '-L --lua-filter': 'code-file',
      '--pdf-engine': 'program',
      '--pdf-engine-opt': 'text',
      '-o --output --log': 'write',
      '--extract-media': 'write-tree',
      '-d --defaults --template -H --include-in-header -B --include-before-body -A --include-after-body -c --css --reference-doc --bibliography --csl --metadata-file --data-dir --resource-path --syntax-definition --abbreviations --epub-metadata --epub-cover-image --epub-embed-font --citation-abbreviations':
        'read',
      '-M --metadata -V --variable --columns --wrap --tab-stop --toc-depth --highlight-style --shift-heading-level-by --slide-level --top-level-division --eol --dpi --request-header --number-offset --markdown-headings --ipynb-output --id-prefix --email-obfuscation --track-changes --default-image-extension --split-level --indented-code-classes --variable-json --print-default-template -D':
        'text',
    },
    rest: 'remote',
    contained: true,
  },
  {
    names:
      'tex latex pdftex pdflatex xetex xelatex luatex lualatex context latexmk tectonic arara texi2dvi texi2pdf bibtex biber makeindex etex ptex uptex platex dvips dvipdf dvipdfm mf mpost tlmgr',
    ...TEX,
  },
  {
    names: 'groff troff nroff gtroff eqn pic tbl refer soelim',
    flags: '-U -s -e -t -p -g -G -j -k -S',
    values: { '-m -T -P -L -d -r -f -F -M -o -w -W -n -I -K -D': 'text' },
    rest: 'code-file',
    unlisted: 'ignore',
  },
  {
    names: 'gs ghostscript ps2pdf ps2ascii pdf2ps eps2eps ps2eps epstopdf gsx pdf2dsc',
    values: { '-c': 'code', '-f -sOutputFile': 'text' },
    foreign: 'a PostScript program',
    rest: 'read',
    singleDash: true,
    unlisted: 'ignore',
  },
  {
    names:
      'pdftotext pdftoppm pdftocairo pdfimages pdfinfo pdffonts pdfunite pdfseparate pdftohtml pdftops qpdf pdftk mutool pdfcrop pdfjam pdfgrep ocrmypdf tesseract djvutxt ddjvu img2pdf pdfcpu k2pdfopt',
    rest: 'update',
    unlisted: 'ignore',
  },
  {
    names:
      'libreoffice soffice lowriter localc loimpress unoconv unoconvert abiword gnumeric ssconvert antiword catdoc docx2txt odt2txt wkhtmltopdf wkhtmltoimage weasyprint prince ebook-convert calibre calibredb ebook-meta epubcheck',
    values: { '--outdir': 'write-tree', '-o --output': 'write' },
    rest: 'read',
    unlisted: 'ignore',
    foreign: 'macros and plugins of the document',
  },
  {
    names:
      'asciidoctor asciidoctor-pdf asciidoc a2x markdown cmark multimarkdown kramdown marked mdcat glow grip rst2html rst2pdf docbook2html xmlto fop xsltproc saxon pod2man pod2html pod2text help2man txt2man ronn scdoc mandoc',
    values: {
      '-r --require': 'code-file',
      '-o --output --out-file -D --destination-dir': 'write',
      '--stringparam --param': 'text',
    },
    rest: 'read',
    unlisted: 'ignore',
    foreign: 'a document that can carry code',
  },
  {
    names: 'dot neato twopi circo fdp sfdp gvpr plantuml mmdc d2 ditaa blockdiag seqdiag rrdtool',
    values: { '-o --output': 'write', '-f': 'read', '-T -K -G -N -E -l': 'text' },
    rest: 'read',
    unlisted: 'ignore',
  },
  {
    names:
      'inkscape gimp krita blender darktable-cli rawtherapee-cli scribus freecad openscad kicad-cli povray imgcat chafa feh sxiv imv eog viu jp2a catimg',
    values: {
      '--actions --batch -b --python-expr --verb': 'code',
      '-P --python -E': 'code-file',
      '-o --export-filename --output': 'write',
    },
    rest: 'read',
    unlisted: 'ignore',
    foreign: 'scripts and plugins',
  },
  {
    names:
      'optipng pngquant jpegoptim jpegtran cjpeg djpeg cwebp dwebp gif2webp gifsicle zopflipng advpng oxipng guetzli svgcleaner rsvg-convert cairosvg potrace autotrace avifenc cjxl heif-convert dcraw pngcrush imgp vips',
    values: { '-o --output -outfile': 'write' },
    rest: 'update',
    singleDash: true,
    unlisted: 'ignore',
  },
  {
    names:
      'lame oggenc oggdec opusenc opusdec flac metaflac faac mp3gain normalize-audio id3v2 eyeD3 mid3v2 shntool cdparanoia abcde mkvmerge mkvextract mkvpropedit mp4box MP4Box HandBrakeCLI handbrakecli x264 x265 gst-launch-1.0 melt obs espeak espeak-ng festival flite',
    values: { '-o --output': 'write', '--pipe': 'shell' },
    rest: 'update',
    unlisted: 'ignore',
  },
  {
    names:
      'growisofs cdrecord wodim brasero dvdauthor qrencode zbarimg barcode maim flameshot grim slurp gnome-screenshot screencapture fc-list fc-cache fc-match fontforge ttx',
    values: { '-o --output': 'write', '-script --script -c': 'code' },
    rest: 'text',
    singleDash: true,
    unlisted: 'ignore',
  },
]
