import type { Family, Grammar } from './knowledge.js'

const PROJECT: Grammar = { foreign: 'settings, plugins and code of the project', unlisted: 'ignore' }
const FORMATS: Grammar = { unlisted: 'ignore', rest: 'update-tree' }

/** Linters, formatters, test runners and generators. Most load code of the project they look at. */
export const development: Family = [
  {
    names:
      'eslint eslint_d jshint jscs standard xo tslint oxlint stylelint htmlhint markdownlint markdownlint-cli2 remark textlint alex write-good cspell biome rome dprint prettier prettierd prettier-eslint svgo purgecss knip ts-prune publint attw size-limit api-extractor typedoc jsdoc documentation',
    values: {
      '-c --config --rulesdir --resolve-plugins-relative-to --plugin': 'code-file',
      '-o --output-file': 'write',
      '-f --format --ext --parser --ignore-path --ignore-pattern': 'text',
    },
    ...PROJECT,
  },
  {
    names:
      'jest vitest mocha ava tap jasmine karma cypress playwright nightwatch wdio testcafe protractor c8 nyc istanbul qunit tape uvu web-test-runner cucumber cucumber-js newman pa11y lighthouse lhci puppeteer backstop',
    values: { '-c --config -r --require --setupFiles --reporter': 'text' },
    ...PROJECT,
  },
  {
    names: 'pytest py.test nose2 nosetests behave robot hypothesis coverage green ward tavern',
    values: { '-p -c --rootdir --confcutdir -k -m -n --cov --cov-report': 'text' },
    ...PROJECT,
  },
  {
    names:
      'pylint flake8 mypy pyright basedpyright bandit pydocstyle pycodestyle vulture pyflakes pytype pyre prospector sphinx-lint interrogate radon xenon semgrep import-linter lint-imports deptry pyroma',
    values: { '--load-plugins --rcfile --config --config-file': 'code-file', '-o --output': 'write' },
    ...PROJECT,
  },
  { names: 'ruff black isort autopep8 yapf autoflake pyupgrade docformatter blue djlint', ...FORMATS },
  {
    names:
      'rspec minitest cucumber-ruby rubocop standardrb reek brakeman sorbet srb steep solargraph haml-lint erblint yard rdoc ri',
    ...PROJECT,
  },
  { names: 'phpcs phpcbf php-cs-fixer phpmd pest codecept behat rector infection parallel-lint pint', ...PROJECT },
  {
    names:
      'golangci-lint staticcheck revive errcheck gosec govulncheck ginkgo gotestsum dlv mockgen wire sqlc goreleaser ko cobra-cli gopls',
    values: { '--exec --test-binary': 'text' },
    ...PROJECT,
  },
  {
    names:
      'clippy rustfmt rust-analyzer cargo-clippy cargo-fmt wasm-pack wasm-bindgen trunk cross maturin bindgen cbindgen evcxr',
    ...PROJECT,
  },
  {
    names:
      'clang-format clang-tidy cppcheck cpplint astyle uncrustify include-what-you-use iwyu clangd clang-check clang-apply-replacements gcov lcov gcovr genhtml infer',
    values: { '--load -load': 'code-file', '-o --output': 'write' },
    singleDash: true,
    unlisted: 'ignore',
    foreign: 'settings of the project',
  },
  {
    names:
      'checkstyle pmd spotbugs ktlint detekt scalafmt scalafix google-java-format swiftlint swiftformat dartfmt ormolu fourmolu hlint stylish-haskell ocamlformat nixfmt nixpkgs-fmt alejandra statix deadnix buildifier credo dialyzer cljfmt clj-kondo',
    ...PROJECT,
  },
  {
    names: 'bats shunit2 shellspec',
    unlisted: 'ignore',
    foreign: 'scripts of the project',
  },
  {
    names:
      'shellcheck shfmt bashate checkbashisms shellharden yamllint jsonlint taplo toml-sort xmlformat tidy vnu vale proselint codespell typos actionlint editorconfig-checker ec sqlfluff sqlfmt pg_format hclfmt lychee linkchecker muffet commitizen cz gitlint license-eye reuse addlicense',
    unlisted: 'ignore',
    rest: 'text',
  },
  {
    names:
      'cookiecutter yo plop hygen copier degit tiged create-next-app create-vite create-remix nest strapi schematics jhipster ember meteor sapper quasar',
    foreign: 'templates that bring code along',
    unlisted: 'ignore',
  },
  {
    names:
      'openapi-generator swagger-codegen graphql-codegen apollo relay-compiler json2ts quicktype datamodel-codegen grpcurl evans grpc_cli postman insomnia bruno',
    unlisted: 'ignore',
    foreign: 'settings of the project',
  },
  {
    names: 'ttyd gotty asciinema terminalizer vhs scriptreplay termtosvg',
    foreign: 'a terminal with a shell in it',
    unlisted: 'ignore',
    values: { '-c --command': 'shell' },
  },
  {
    names:
      'claude codex gemini aider cursor-agent opencode ollama llm sgpt aichat mods fabric llama-cli whisper huggingface-cli hf wandb mlflow tensorboard accelerate torchrun deepspeed ray streamlit gradio chainlit uvicorn gunicorn hypercorn daphne waitress-serve flask celery rq dramatiq huey scrapy django',
    foreign: 'programs of its own',
    unlisted: 'ignore',
  },
  {
    names:
      'adb fastboot scrcpy emulator sdkmanager avdmanager aapt apktool jadx dex2jar zipalign apksigner bundletool ios-deploy idevice_id simctl',
    foreign: 'programs on another device',
    unlisted: 'ignore',
  },
  {
    names:
      'arduino-cli platformio pio esptool esptool.py avrdude openocd st-flash dfu-util probe-rs picotool mpremote ampy rshell west idf.py minicom picocom cu putty',
    foreign: 'programs on another device',
    unlisted: 'ignore',
  },
]
