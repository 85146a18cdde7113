import type { Rule } from '../model/profile.js'
import { ask } from './effect-rule.js'

const words = (text: string): readonly string[] => text.split(/\s+/)
const EVERYBODY = 'It publishes to everybody.'
const PERSON = 'Build it, and let a person publish it.'
const RUNNING_SETTINGS = words(
  'script-shell script-shell=* scriptShell scriptShell=* shell shell=* node-options node-options=* nodeOptions nodeOptions=* init-module init-module=* editor editor=* git git=*',
)

/** Publishing by tools that are there for it, by builds, and by what a project calls its own tasks. */
export const RELEASE_EFFECTS: readonly Rule[] = [
  ask({
    name: 'release-tool',
    program: words('semantic-release np release-it shipjs cpan-upload dput gh-pages angular-cli-ghpages surge now'),
    because: 'It publishes or deploys by being started.',
    instead: PERSON,
    hits: ['semantic-release', 'np minor', 'release-it --ci', 'gh-pages -d dist', 'surge dist', 'npx np@9 --yolo'],
    misses: ['semantic-release --dry-run', 'np --preview', 'echo np', 'npm ls np', 'release-it --version'],
  }),
  ask({
    name: 'release-command',
    program: words(
      'goreleaser auto fastlane nx cargo-release snapcraft pod packagecloud cloudsmith rye dagger earthly',
    ),
    args: [
      words(
        'release publish continue shipit beta deploy upload upload* push pilot deliver supply testflight appstore playstore --push',
      ),
    ],
    because: EVERYBODY,
    instead: PERSON,
    hits: ['goreleaser release --clean', 'auto shipit', 'fastlane release', 'pod trunk push x.podspec', 'nx release'],
    misses: ['goreleaser build', 'goreleaser release --snapshot', 'fastlane test', 'pod install', 'nx run app:test'],
  }),
  ask({
    name: 'build-publish',
    program: words('mvn mvnw gradle gradlew rake sbt lein mill'),
    args: [
      words(
        `deploy:* release release:* jib jib:build nexus-staging:* gem:push ci-release publishToMavenCentral publishToSonatype publishAndRelease*
        publish?* *:publish* closeAndRelease* *PublishModule* *.publish* bintrayUpload uploadArchives artifactoryPublish
        publishSigned sonatypeBundleRelease dockerPush*`,
      ),
    ],
    because: EVERYBODY,
    instead: PERSON,
    hits: ['mvn release:perform', './gradlew :lib:publish', 'rake release', 'gradle publishToMavenCentral'],
    misses: ['mvn package', './gradlew publishToMavenLocal', 'rake spec', 'gradle build'],
  }),
  ask({
    name: 'script-publish',
    program: words('npm pnpm yarn bun cnpm composer deno nx turbo rush poe pdm hatch'),
    args: [
      words('run run-script rum urn task workspace workspaces'),
      words(
        'deploy deploy:* deploy-* *:deploy ship shipit publish publish:* publish-* *:publish release release:prod release:publish release:ci semantic-release',
      ),
    ],
    because: 'By its name it publishes or deploys.',
    instead: PERSON,
    hits: [
      'npm run deploy',
      'pnpm run publish:all',
      'yarn run release',
      'yarn workspaces foreach -A npm publish',
      'npm run deploy:prod -- --force',
    ],
    misses: ['npm run build', 'npm run build:release', 'npm run test -- deployment'],
  }),
  ask({
    name: 'package-release',
    program: words('yarn pnpm bun'),
    args: [words('release release:prod release:publish release:ci deploy deploy:* publish:*')],
    because: 'By its name it publishes or deploys.',
    instead: PERSON,
    hits: ['yarn release', 'pnpm release', 'bun deploy:prod'],
    misses: ['yarn build', 'pnpm test', 'pnpm -r build'],
  }),
  ask({
    name: 'crate-release',
    program: ['cargo', 'cargo-release'],
    args: [
      ['release', 'smart-release', 'workspaces', 'ws'],
      ['--execute', '-x', 'publish'],
    ],
    because: EVERYBODY,
    instead: PERSON,
    hits: ['cargo release patch --execute', 'cargo workspaces publish --yes'],
    misses: ['cargo release patch', 'cargo build --release', 'cargo workspaces list'],
  }),
  ask({
    name: 'task-publish',
    program: words('make gmake just task mage invoke inv rake bazel bazelisk'),
    args: [words('deploy deploy:* deploy-* *:deploy publish publish:* publish-* *:publish *:push')],
    because: 'By its name it publishes or deploys.',
    instead: PERSON,
    hits: ['make deploy', 'just deploy-prod', 'make -j4 test publish', 'rake deploy:production'],
    misses: ['make', 'make -C deploy test', 'make release', 'just test', 'make -f deploy lint'],
  }),
  ask({
    name: 'setup-upload',
    program: ['python*'],
    args: ['*setup.py', ['upload', 'register']],
    because: EVERYBODY,
    instead: PERSON,
    hits: ['python setup.py sdist upload', 'python3 ./setup.py register'],
    misses: ['python setup.py sdist', 'python setup.py install', 'python upload.py'],
  }),
  ask({
    name: 'registry-change',
    program: words('npm pnpm yarn cnpm cargo gem'),
    args: [
      words('owner author access dist-tag dist-tags tag team org token profile hook'),
      words(
        'add rm remove set grant revoke create destroy delete update edit public restricted 2fa-required 2fa-not-required enable-2fa disable-2fa --add --remove -a -r',
      ),
    ],
    because: 'It changes what everybody gets from a registry, or who may publish there.',
    instead: 'Look at what is there, and let a person change it.',
    hits: [
      'npm dist-tag add app@1.0.0 latest',
      'npm owner add bob app',
      'npm access grant read-write org:team app',
      'yarn npm tag add app@1 next',
      'cargo owner --add bob app',
      'npm token create',
    ],
    misses: [
      'npm dist-tag ls app',
      'npm owner ls app',
      'npm access list packages',
      'cargo owner --list',
      'npm add tag',
    ],
  }),
  ask({
    name: 'package-setting',
    program: words('npm pnpm yarn cnpm'),
    args: [['config', 'c'], 'set', RUNNING_SETTINGS],
    because: 'It makes later commands run a program of its choosing.',
    instead: 'Name the program on the line where it is needed.',
    hits: ['npm config set script-shell ./x', 'npm c set script-shell=./x', 'pnpm config set script-shell ./x'],
    misses: ['npm config get script-shell', 'npm config set registry https://example.com', 'npm config list'],
  }),
  ask({
    name: 'package-set',
    program: words('npm pnpm cnpm'),
    args: ['set', RUNNING_SETTINGS],
    because: 'It makes later commands run a program of its choosing.',
    instead: 'Name the program on the line where it is needed.',
    hits: ['npm set script-shell ./x', 'npm set script-shell=./x'],
    misses: ['npm set registry https://example.com', 'npm get script-shell'],
  }),
  ask({
    name: 'image-change',
    program: ['crane', 'oras', 'regctl', 'cosign', 'notation', 'ko', 'imgpkg'],
    args: [words('push copy cp tag delete attach attest upload clean build publish resolve apply create run')],
    because: 'It changes what a registry holds.',
    instead: 'Build it here, and let a person send it.',
    hits: ['crane push app.tar example.com/app:1', 'oras push example.com/app:1 f', 'crane delete example.com/app'],
    misses: [
      'crane manifest alpine',
      'oras pull example.com/app:1',
      'crane ls alpine',
      'cosign verify x',
      'ko version',
    ],
  }),
  ask({
    name: 'clojure-publish',
    program: ['clojure', 'clj'],
    args: [
      ['-T*', '-X*', '-M*'],
      ['deploy', 'publish', 'release'],
    ],
    because: EVERYBODY,
    instead: PERSON,
    hits: ['clojure -T:build deploy'],
    misses: ['clojure -T:build uber', 'clj -M:test'],
  }),
  ask({
    name: 'version-push',
    program: ['lerna'],
    args: ['version'],
    because: 'It makes tags and pushes them.',
    instead: 'Use --no-push, and let a person push.',
    hits: ['lerna version --yes', 'npx lerna version minor'],
    misses: ['lerna version --no-push', 'lerna --version', 'lerna run version'],
  }),
  ask({
    name: 'nuget-push',
    program: ['nuget', 'paket', 'choco', 'gem'],
    args: [['push', 'delete', 'yank', 'release', 'unlist']],
    because: EVERYBODY,
    instead: PERSON,
    hits: ['nuget delete x 1.0', 'choco push x.nupkg', 'bundle exec gem release'],
    misses: ['nuget restore', 'paket install', 'gem list'],
  }),
  ask({
    name: 'nuget-delete',
    program: ['dotnet'],
    args: ['nuget', 'delete'],
    because: 'It takes a package away from everybody.',
    instead: PERSON,
    hits: ['dotnet nuget delete x 1.0'],
    misses: ['dotnet nuget list source', 'dotnet run -- delete'],
  }),
  ask({
    name: 'data-push',
    program: words(
      'huggingface-cli hf wandb kaggle dvc git-annex lakectl rsconnect streamlit sagemaker s3_website datalad quilt3 crossplane',
    ),
    args: [
      words('upload upload-large-folder push put version create merge deploy sync copy delete repo repo-files publish'),
    ],
    because: 'It changes what others get from a store of data.',
    instead: 'Keep it here, and let a person send it.',
    hits: ['huggingface-cli upload me/x .', 'dvc push', 'kaggle datasets version -p . -m x'],
    misses: ['huggingface-cli download x', 'dvc pull', 'kaggle datasets list', 'wandb offline'],
  }),
  ask({
    name: 'image-tools',
    program: ['docker'],
    args: ['buildx', 'imagetools', 'create'],
    because: 'It changes what a registry holds.',
    instead: 'Build it here, and let a person send it.',
    hits: ['docker buildx imagetools create -t me/x:latest me/x:1'],
    misses: ['docker buildx imagetools inspect alpine', 'docker buildx create --use'],
  }),
  ask({
    name: 'image-builder',
    program: words('buildctl pack nixpacks kaniko img'),
    args: [words('--publish --push *push=true* --destination* push')],
    because: 'It sends the image that it builds to a registry.',
    instead: 'Build it without sending it.',
    hits: ['pack build example/app --publish', 'buildctl build --output type=image,name=r/x,push=true'],
    misses: ['pack build app', 'buildctl build --output type=local,dest=out'],
  }),
  ask({
    name: 'image-trust',
    program: ['docker'],
    args: ['trust', ['sign', 'revoke', 'add', 'remove']],
    because: 'It changes what others trust of a registry.',
    instead: 'Look at it by `docker trust inspect`, and let a person sign.',
    hits: ['docker trust sign example/app:1'],
    misses: ['docker trust inspect example/app'],
  }),
  ask({
    name: 'image-copy',
    program: ['skopeo'],
    args: ['copy', '*:*', 'docker://*'],
    because: 'It sends an image to a registry.',
    instead: 'Copy it to a directory here, and let a person send it.',
    hits: ['skopeo copy oci:app docker://example.com/app', 'skopeo copy --all docker://a/b docker://c/d'],
    misses: ['skopeo copy docker://alpine oci:alpine', 'skopeo inspect docker://alpine'],
  }),
  ask({
    name: 'image-removal',
    program: ['skopeo'],
    args: [['delete', 'sync']],
    because: 'It changes what a registry holds.',
    instead: 'Look at what is there, and let a person change it.',
    hits: ['skopeo delete docker://example.com/app', 'skopeo sync --src dir --dest docker x example.com'],
    misses: ['skopeo list-tags docker://alpine'],
  }),
]
