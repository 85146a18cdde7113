import type { Family } from './grammar/roles.js'

/** Programs that always run code outside their arguments, by the kind of code. */
const OWN_CODE: Readonly<Record<string, string>> = {
  'recipes in the project':
    'ctest cpack ccmake cmake-gui qmake qmake6 moc uic imake ninja ninja-build samu meson scons waf tup xmake premake5 premake4 gn gyp bjam ibazel redo jam cook snakemake nextflow luigi airflow prefect dagster dvc gradle gradlew mvn mvnw mvnd ant sbt mill lein boot leiningen maven ivy autoconf automake autoreconf aclocal autoheader libtoolize autogen.sh autoupdate autoscan intltoolize libtool act gitlab-runner circleci jenkins-cli drone woodpecker-cli buildkite-agent fastlane xcodebuild xcrun msbuild nuget paket cake fake',
  'settings and plugins of the project':
    'hugo jekyll mkdocs sphinx-build sphinx-apidoc sphinx-quickstart zola eleventy gatsby next nuxt astro remix ng vue vue-cli react-scripts create-react-app docusaurus vitepress vuepress hexo gridsome storybook expo ionic cordova capacitor svelte-kit mdbook doxygen tsc vue-tsc swc esbuild babel rollup webpack parcel vite snowpack rspack rsbuild tsup unbuild microbundle ncc tsdown rolldown aspell ispell hunspell eslint eslint_d jshint jscs standard xo tslint oxlint stylelint htmlhint markdownlint markdownlint-cli2 remark textlint alex write-good cspell biome rome dprint prettier prettierd prettier-eslint svgo purgecss knip ts-prune publint attw size-limit api-extractor typedoc jsdoc documentation clang-format clang-tidy cppcheck cpplint astyle uncrustify include-what-you-use iwyu clangd clang-check clang-apply-replacements gcov lcov gcovr genhtml infer openapi-generator swagger-codegen graphql-codegen apollo relay-compiler json2ts quicktype datamodel-codegen grpcurl evans grpc_cli postman insomnia bruno',
  'tests, plugins and code of the project':
    'jest vitest mocha ava tap jasmine karma cypress playwright nightwatch wdio testcafe protractor c8 nyc istanbul qunit tape uvu web-test-runner cucumber cucumber-js newman pa11y lighthouse lhci puppeteer backstop pytest py.test nose2 nosetests behave robot hypothesis coverage green ward tavern pylint flake8 mypy pyright basedpyright bandit pydocstyle pycodestyle vulture pyflakes pytype pyre prospector sphinx-lint interrogate radon xenon semgrep import-linter lint-imports deptry pyroma rspec minitest cucumber-ruby rubocop standardrb reek brakeman sorbet srb steep solargraph haml-lint erblint yard rdoc ri phpcs phpcbf php-cs-fixer phpmd pest codecept behat rector infection parallel-lint pint golangci-lint staticcheck revive errcheck gosec govulncheck ginkgo gotestsum dlv mockgen wire sqlc goreleaser ko cobra-cli gopls clippy rustfmt rust-analyzer cargo-clippy cargo-fmt wasm-pack wasm-bindgen trunk cross maturin bindgen cbindgen evcxr checkstyle pmd spotbugs ktlint detekt scalafmt scalafix google-java-format swiftlint swiftformat dartfmt ormolu fourmolu hlint stylish-haskell ocamlformat nixfmt nixpkgs-fmt alejandra statix deadnix buildifier credo dialyzer cljfmt clj-kondo bats shunit2 shellspec pre-commit husky lefthook lint-staged commitlint',
  'templates that contain code':
    'cookiecutter yo plop hygen copier degit tiged create-next-app create-vite create-remix nest strapi schematics jhipster ember meteor sapper quasar',
  'programs that it starts':
    'claude codex gemini aider cursor-agent opencode ollama llm sgpt aichat mods fabric llama-cli whisper huggingface-cli hf wandb mlflow tensorboard accelerate torchrun deepspeed ray streamlit gradio chainlit uvicorn gunicorn hypercorn daphne waitress-serve flask celery rq dramatiq huey scrapy django supervisord circusd runsvdir s6-svscan ldd',
  'programs on another device':
    'adb fastboot scrcpy emulator sdkmanager avdmanager aapt apktool jadx dex2jar zipalign apksigner bundletool ios-deploy idevice_id simctl arduino-cli platformio pio esptool esptool.py avrdude openocd st-flash dfu-util probe-rs picotool mpremote ampy rshell west idf.py minicom picocom cu putty',
  'a document that can contain code':
    'tex latex pdftex pdflatex xetex xelatex luatex lualatex context latexmk tectonic arara texi2dvi texi2pdf bibtex biber makeindex etex ptex uptex platex dvips dvipdf dvipdfm mf mpost tlmgr groff troff nroff gtroff eqn pic tbl refer soelim gs ghostscript ps2pdf ps2ascii pdf2ps eps2eps ps2eps epstopdf gsx pdf2dsc libreoffice soffice lowriter localc loimpress unoconv unoconvert abiword gnumeric ssconvert antiword catdoc docx2txt odt2txt wkhtmltopdf wkhtmltoimage weasyprint prince ebook-convert calibre calibredb ebook-meta epubcheck asciidoctor asciidoctor-pdf asciidoc a2x markdown cmark multimarkdown kramdown marked mdcat glow grip rst2html rst2pdf docbook2html xmlto fop xsltproc saxon pod2man pod2html pod2text help2man txt2man ronn scdoc mandoc inkscape gimp krita blender darktable-cli rawtherapee-cli scribus freecad openscad kicad-cli povray gvpr fontforge ttx xmlstarlet xml',
  'scripts of packages':
    'twine keyring pip-compile pip-sync pip-audit safety pipdeptree easy_install buildout cpan cpanp pod carthage mint xcodegen tuist conan vcpkg spack add-apt-repository apt-add-repository software-properties-gtk unattended-upgrade do-release-upgrade tasksel deborphan debconf-show ppa-purge apk xbps-install xbps-remove xbps-query opkg ipkg emerge equery eix slackpkg installpkg upgradepkg removepkg swupd eopkg pkg pkg_add pkg_info pkgin port fink kiss cave sbopkg ldconfig update-alternatives update-initramfs update-grub grub-install grub-mkconfig mkinitcpio dracut dkms depmod appimagetool appimage-run AppImageLauncher',
  'hooks and commands from its settings':
    'fossil p4 gitk tig lazygit gitui git-gui magit git-lfs git-annex git-flow git-crypt git-secret git-filter-repo git-cliff gitleaks trufflehog pass gopass bw vault keepassxc-cli secret-tool chezmoi yadm stow irssi weechat profanity',
  'clusters, machines and their scripts':
    'k9s kustomize kubectx kubens stern kubeadm kind k3d kops eksctl skaffold tilt garden devspace telepresence argocd flux istioctl linkerd velero kubeseal kubeval kube-linter popeye virsh virt-install virt-manager virtualbox VBoxManage vboxmanage vmrun qemu qemu-system-x86_64 qemu-system-aarch64 qemu-system-i386 qemu-nbd firecracker cloud-hypervisor packer proxmox qm pct',
  'builds and settings of the project':
    'netlify wrangler firebase surge amplify serverless sls sam cdk cdktf pulumi sst eb ebcli copilot chalice zappa architect up claudia tflint tfsec checkov terrascan infracost terraform-docs liquibase flyway sqitch dbmate goose alembic prisma sequelize typeorm knex drizzle-kit django-admin manage.py atlas tern migrate diesel sqlx artisan wp drush phpunit phpstan psalm',
  'tasks on other machines':
    'ansible-playbook ansible-pull ansible-console ansible-galaxy ansible-vault ansible-inventory ansible-doc ansible-lint ansible-test ansible-config ansible-navigator molecule puppet chef chef-client chef-solo knife salt salt-call salt-ssh salt-master cfengine cf-agent bolt pyinfra itamae mina capistrano cap dokku kamal',
  'a server with its settings':
    'ngrok cloudflared localtunnel lt bore frpc frps chisel gost stunnel redsocks tor squid haproxy nginx apache2 httpd apachectl caddy lighttpd traefik envoy varnishd dnsmasq named unbound coredns',
  'a tool for attacks':
    'sqlmap hydra medusa john hashcat aircrack-ng nikto gobuster ffuf feroxbuster dirb wfuzz msfconsole msfvenom metasploit responder crackmapexec netexec impacket-psexec searchsploit wpscan nuclei httpx naabu',
}

/** Programs whose code is reported, not analysed: projects, plugins, settings, packages, documents, servers. */
export const ownCode: Family = Object.entries(OWN_CODE).map(([foreign, names]) => ({
  names,
  foreign,
}))
